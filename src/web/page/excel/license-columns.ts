import {
  newerText,
  notCountedText,
  replacementText,
  rowTexts,
  shortReason,
  stateText,
} from '../license/row-texts.js';
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
  add('users', (license) => addedSeatsOf(license, view));
  add('excelEndedSeats', (license) => endedSeatsOf(license, view));
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

/** Those that a license adds to the total; empty rather than 0, because a note says why. */
function addedSeatsOf(license: License, view: View): Value {
  const { addedSeats } = view.assessmentOf(license);
  return addedSeats > 0 ? addedSeats : null;
}

/** Those of a license for clients that has expired or was replaced. */
function endedSeatsOf(license: License, view: View): Value {
  const { kind, users } = license.facts;
  const hasEnded = view.assessmentOf(license).whyNotCounted === 'seatsEnded';
  return hasEnded && kind !== 'server' ? users : null;
}

/** Why a license does not count, and why there may be less to say of it than of others. */
function noteOn(license: License, view: View): string {
  const assessment = view.assessmentOf(license);
  const { validity, replacement, newer } = assessment;
  const seats = notCountedText(license, assessment);
  const notes: string[] = [];
  // A file names its license, but not the PIN code that came after its own: the sheet may be without PIN codes.
  if (replacement && replacement.how !== 'replacedBy') notes.push(replacementText(replacement));
  else if (replacement || validity === 'expired' || validity === 'unlikely')
    notes.push(stateText(license, assessment, view.today.value));
  else if (seats) notes.push(seats);
  if (validity === 'unknown' && !seats && !license.problem) notes.push(t('noTerm'));
  if (assessment.maybeReplaced) notes.push(t('excelMaybeReplaced'));
  if (assessment.isPreviousCopy) notes.push(t('previousCopy'));
  if (newer) notes.push(newerText(newer));

  const reason = shortReason(license);
  if (reason) notes.push(reason.text);
  else if (license.status !== 'done') notes.push(t('unread'));
  return notes.join('; ');
}

function lookOf(license: License, view: View) {
  const { validity } = view.assessmentOf(license);
  if (validity === 'expired') return BAD;
  return validity === 'soon' ? NEUTRAL : undefined;
}
