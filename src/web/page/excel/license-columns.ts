import { laterText, markText, notCountedText, rowTexts, shortReason } from '../license/row-texts.js';
import type { License } from '../model/license.js';
import type { View } from '../model/view.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { BAD, NEUTRAL, type Column, type Value } from './write-workbook.js';

/** What the user wants in the sheet besides the rest. */
export interface SheetParts {
  hasOwners: boolean;
  hasPins: boolean;
}

/** The columns of the sheet. They do not depend on what is in it, so that two sheets can be put below each other. */
export function columnsOf(view: View, { hasOwners, hasPins }: SheetParts): Column<License>[] {
  const columns: Column<License>[] = [];
  const add = (header: TextKey, value: (license: License) => Value, look?: Column<License>['look']) => {
    columns.push({ header: t(header), value, ...(look && { look }) });
  };
  add('validUntil', endOf, (license) => lookOf(license, view));
  add('product', ({ facts }) => facts.product);
  add('kind', ({ facts }) => facts.kind && t(facts.kind));
  // Everybody sums a column, so what does not count stands elsewhere.
  add('users', (license) => (isCounted(license, view) ? license.facts.users : null));
  add('excelEndedSeats', (license) => (hasEnded(license, view) ? license.facts.users : null));
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

const isCounted = (license: License, view: View) => view.seatStatusOf(license) === 'counted';

const hasEnded = (license: License, view: View) => view.seatStatusOf(license) === 'ended';

/** Why a license does not count, and why there may be less to say of it than of others. */
function noteOn(license: License, view: View): string {
  const validity = view.validityOf(license);
  const seats = notCountedText(license, view);
  const later = view.kits.value.later.get(license);
  const notes: string[] = [];
  if (hasEnded(license, view)) notes.push(markText(license, view));
  if (validity === 'unknown' && !seats && !license.isFailed) notes.push(t('noTerm'));
  if (view.isIn(license, 'maybeReplaced')) notes.push(t('excelMaybeReplaced'));
  if (view.previousCopies.value.has(license)) notes.push(t('previousCopy'));
  if (later) notes.push(laterText(later));
  if (seats) notes.push(t('excelNotCounted', { seats }));

  const reason = shortReason(license);
  if (reason) notes.push(reason.text);
  else if (license.status !== 'done') notes.push(t('unread'));
  return notes.join('; ');
}

function lookOf(license: License, view: View) {
  const validity = view.validityOf(license);
  if (validity === 'expired') return BAD;
  return validity === 'soon' ? NEUTRAL : undefined;
}
