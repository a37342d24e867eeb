import { isUnknownFile, type License } from '../model/license.js';
import type { Seats } from '../model/seats.js';
import type { View } from '../model/view.js';
import { t } from './language.js';

/** How many licenses there are, or how many of them a filter and a search show. */
export function countText({ isPart, licenses, shown }: View): string {
  const all = licensesIn(licenses.value);
  const total = all.length;
  const count = licensesIn(shown.value).length;
  const otherCount = shown.value.length - count;
  if (count === 0 && otherCount > 0) return t('fileCount', { count: otherCount });

  const fileCount = all.flatMap(({ places }) => places).length;
  const whole = total === fileCount ? 'licenseCount' : 'licensesInFiles';
  const text = t(isPart.value ? 'shownOf' : whole, { count, total, fileCount });
  return otherCount > 0 ? t('andOtherFiles', { licenses: text, count: otherCount }) : text;
}

/** How many licenses some rows have; if there is none among them, how many files. */
export function rowsText(rows: readonly License[]): string {
  const count = licensesIn(rows).length;
  return count > 0 ? t('licenseCount', { count }) : t('fileCount', { count: rows.length });
}

const licensesIn = (rows: readonly License[]) => rows.filter((row) => !isUnknownFile(row));

/** What the seats come to, without what is doubtful about them; empty if nothing could be added up. */
export function totalText({ total, isUpperBound }: Seats): string {
  if (total === 0) return '';
  return t(isUpperBound ? 'seatsAtMost' : 'seats', { seats: total });
}

/** The whole sentence: the total, how many licenses may have been replaced, and how many are not counted. */
export function seatsText(seats: Seats): string {
  const doubts = DOUBTS.filter((doubt) => seats[doubt] > 0);
  const parts = [totalText(seats), ...doubts.map((doubt) => t(doubt, { count: seats[doubt] }))];
  return parts.filter(Boolean).join(' · ');
}

/** What may be doubtful about a total. Each is also the filter that shows its licenses. */
export const DOUBTS = ['maybeReplaced', 'notCounted'] as const;
