import type { License } from '../model/license.js';
import type { Seats } from '../model/seats.js';
import type { View } from '../model/view.js';
import { t } from './language.js';

/** How many licenses there are, or how many of them a filter and a search show. */
export function countText(view: View): string {
  const shown = view.shown.value;
  const all = view.licensesIn(view.licenses.value);
  const total = all.length;
  const count = view.licensesIn(shown).length;
  const fileCount = all.flatMap(({ places }) => places).length;
  const whole = total === fileCount ? 'licenseCount' : 'licensesInFiles';
  const text = t(view.isPart.value ? 'shownOf' : whole, { count, total, fileCount });
  return withOthers(text, count, shown);
}

/** How many licenses some rows have, and how many other files. */
export function rowsText(rows: readonly License[], view: View): string {
  const count = view.licensesIn(rows).length;
  return withOthers(t('licenseCount', { count }), count, rows);
}

/** @param text says how many of the rows are licenses */
function withOthers(text: string, count: number, rows: readonly License[]): string {
  const otherCount = rows.length - count;
  if (otherCount === 0) return text;
  if (count === 0) return t('fileCount', { count: otherCount });
  return t('andOtherFiles', { licenses: text, count: otherCount });
}

/** What the seats come to, without what is doubtful about them; empty if nothing could be added up. */
export function totalText({ total, isUpperBound }: Seats): string {
  if (total === 0) return '';
  return t(isUpperBound ? 'seatsAtMost' : 'seats', { seats: total });
}

/** The whole sentence: the total, how many licenses may have been replaced, and how many are not counted. */
export function seatsText(seats: Seats): string {
  const notes = SEAT_NOTES.filter((note) => seats[note] > 0);
  const parts = [totalText(seats), ...notes.map((note) => t(note, { count: seats[note] }))];
  return parts.filter(Boolean).join(' · ');
}

/** What may be doubtful about a total. Each is also the filter that shows its licenses. */
export const SEAT_NOTES = ['maybeReplaced', 'notCounted'] as const;
