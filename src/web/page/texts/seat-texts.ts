import type { Seats } from '../model/seats.js';
import type { View } from '../model/view.js';
import { t } from './language.js';

/** How many licenses there are, or how many of them a filter and a search show. */
export function countText({ isPart, licenses, shown }: View): string {
  const count = licenses.value.length;
  const fileCount = licenses.value.flatMap(({ places }) => places).length;
  if (isPart.value) return t('shownOf', { count: shown.value.length, total: count });

  // What ring refused may be no license.
  const areLicenses = licenses.value.every(({ cannotBeRead, isUnlikely }) => !cannotBeRead && !isUnlikely);
  if (!areLicenses) return t('fileCount', { count: fileCount });
  return t(count === fileCount ? 'licenseCount' : 'licensesInFiles', { count, fileCount });
}

/** What the seats come to, without what is doubtful about them; empty if nothing could be added up. */
export function totalText({ seats, maybeReplaced }: Seats): string {
  if (seats === 0) return '';
  return t(maybeReplaced > 0 ? 'seatsAtMost' : 'seats', { seats });
}

/** The whole sentence: the total, how many licenses may have been replaced, and how many are not counted. */
export function seatsText(seats: Seats): string {
  const parts = [totalText(seats), ...DOUBTS.map((doubt) => doubtText(doubt, seats))];
  return parts.filter(Boolean).join(' · ');
}

/** What may be doubtful about a total. Each is also the filter that shows its licenses. */
export const DOUBTS = ['maybeReplaced', 'notCounted'] as const;

export function doubtText(doubt: (typeof DOUBTS)[number], seats: Seats): string {
  const count = seats[doubt];
  return count > 0 ? t(doubt, { count }) : '';
}
