import { rowTexts, shortReason } from '../license/row-texts.js';
import { nameOf, type License } from '../model/license.js';
import type { View } from '../model/view.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { BAD, NEUTRAL, type Column, type Value } from './write-workbook.js';

/** What the user wants in the sheet besides the rest. */
export interface SheetParts {
  hasOwners: boolean;
  hasPins: boolean;
}

/** The columns of the sheet that are not empty. */
export function columnsOf(view: View, { hasOwners, hasPins }: SheetParts): Column<License>[] {
  const seatsIfCounted = (license: License) => {
    const isCounted = view.seatRoleOf(license) === 'counted';
    return isCounted ? license.facts.users : null;
  };
  // Everybody sums a column, so what does not count has one of its own.
  const seatsIfNotCounted = (license: License) => {
    const isCounted = view.seatRoleOf(license) === 'counted';
    return isCounted ? null : license.facts.users;
  };

  const columns: Column<License>[] = [];
  const add = (header: TextKey, value: (license: License) => Value, look?: Column<License>['look']) => {
    const isFilled = view.shown.value.some((license) => value(license));
    if (isFilled) columns.push({ header: t(header), value, ...(look && { look }) });
  };
  add('validUntil', endOf, (license) => lookOf(license, view));
  add('product', productOf);
  add('users', seatsIfCounted);
  add('excelOtherSeats', seatsIfNotCounted);
  add('number', ({ facts }) => facts.registrationNumber);
  add('computer', ({ facts }) => facts.computer);
  if (hasOwners) add('owner', ({ facts }) => facts.owner);
  if (hasPins) add('pin', ({ facts }) => facts.pin);
  add('excelNote', (license) => noteOn(license, view));
  add('file', (license) => rowTexts(license).file);
  return columns;
}

/** When a license ends, as a date if it has one. */
function endOf({ facts }: License): Value {
  const { validUntil, validUntilTime, unlimited } = facts;
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
  const notes: string[] = [];
  if (validity === 'replaced') notes.push(t('replacedMark'));
  if (validity === 'expired') notes.push(t('expiredMark'));
  if (validity === 'unknown' && !license.isFailed) notes.push(t('noTerm'));
  if (view.isIn(license, 'maybeReplaced')) notes.push(t('excelMaybeReplaced'));
  if (view.previousCopies.value.has(license)) notes.push(t('previousCopy'));
  if (license.status !== 'done') notes.push(t('failed'));

  const reason = shortReason(license);
  if (reason) notes.push(reason.text);
  return notes.join('; ');
}

function lookOf(license: License, view: View) {
  const validity = view.validityOf(license);
  if (validity === 'expired') return BAD;
  return validity === 'soon' ? NEUTRAL : undefined;
}
