import { rowTexts, shortReason } from '../license/row-texts.js';
import { nameOf, type License } from '../model/license.js';
import type { View } from '../model/view.js';
import { t } from '../texts/language.js';
import { BAD, NEUTRAL, type Column, type Value } from './write-workbook.js';

/** What the user wants in the sheet besides the rest. */
export interface SheetParts {
  hasOwners: boolean;
  hasPins: boolean;
}

/** The columns of the sheet that are not empty. */
export function columnsOf(view: View, { hasOwners, hasPins }: SheetParts): Column<License>[] {
  const owner: Column<License> = { header: t('owner'), value: ({ known }) => known.owner };
  const pin: Column<License> = { header: t('pin'), value: ({ known }) => known.pin };
  // Everybody sums a column, so what does not count has one of its own.
  const seatsIf = (isCounted: boolean) => (license: License) =>
    (view.seatRoleOf(license) === 'counted') === isCounted ? license.known.users : null;

  const columns: Column<License>[] = [
    { header: t('validUntil'), value: endOf, look: (license) => lookOf(license, view) },
    { header: t('product'), value: productOf },
    { header: t('users'), value: seatsIf(true) },
    { header: t('excelOtherSeats'), value: seatsIf(false) },
    { header: t('number'), value: ({ known }) => known.registrationNumber },
    { header: t('computer'), value: ({ known }) => known.computer },
    ...(hasOwners ? [owner] : []),
    ...(hasPins ? [pin] : []),
    { header: t('excelNote'), value: (license) => noteOn(license, view) },
    { header: t('file'), value: (license) => rowTexts(license).file },
  ];
  return columns.filter(({ value }) => view.shown.value.some((license) => value(license)));
}

/** When a license ends, as a date if it has one. */
function endOf({ known }: License): Value {
  const { validUntil, validUntilTime, unlimited } = known;
  if (validUntil !== null) return { date: validUntil, time: validUntilTime };
  return unlimited ? t('never') : null;
}

/** The whole name; as in the table, what nothing is known of has the name of its file. */
function productOf(license: License): string {
  const { product, type } = rowTexts(license);
  return product || type || nameOf(license);
}

/** Why a license does not count, and why there may be less to say of it than of others. */
function noteOn(license: License, view: View): string {
  const validity = view.validityOf(license);
  const notes = [
    validity === 'replaced' && t('replacedMark'),
    validity === 'expired' && t('expiredMark'),
    validity === 'unknown' && !license.isFailed && t('noTerm'),
    view.isIn(license, 'maybeReplaced') && t('excelMaybeReplaced'),
    view.previousCopies.value.has(license) && t('previousCopy'),
    license.status !== 'done' && t('failed'),
    shortReason(license)?.text,
  ];
  return notes.filter(Boolean).join('; ');
}

function lookOf(license: License, view: View) {
  const validity = view.validityOf(license);
  if (validity === 'expired') return BAD;
  return validity === 'soon' ? NEUTRAL : undefined;
}
