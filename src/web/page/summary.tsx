import type { Language } from '../../errors/catalog.js';
import { daysBetween, formatDate } from './format.js';
import type { Item } from './item.js';
import { sumUp, type Sum } from './sums.js';
import type { Tell, TextKey } from './texts.js';

interface SummaryProps {
  items: readonly Item[];
  t: Tell;
  today: string;
  language: Language;
}

/** What all licenses come to together. */
export function Summary({ items, t, today, language }: SummaryProps) {
  if (items.length < 2) return null;
  const { files, client, server, other, unread, next } = sumUp(items, today);
  const unknown = client.unknown + other.unknown;
  const part = (sum: Sum, withUsers: TextKey, without: TextKey) =>
    sum.licenses > 0 && [
      t(sum.users > 0 ? withUsers : without, { licenses: sum.licenses, users: sum.users }),
    ];
  const parts = [
    [t('sumFiles', { count: files })],
    part(client, 'sumClientUsers', 'sumClient'),
    part(server, 'sumServerUsers', 'sumServer'),
    part(other, 'sumOtherUsers', 'sumOther'),
    unknown > 0 && [t('sumUnknown', { count: unknown })],
    unread > 0 && [t('sumUnread', { count: unread })],
    next && [
      t('sumNext', {
        licenses: next.licenses,
        day: formatDate(next.day, language),
        wait: waitInDays(daysBetween(today, next.day), language),
      }),
    ],
  ];
  return (
    <div class="summary">
      <ul>{parts.map((texts) => texts && <li key={texts[0]}>{texts[0]}</li>)}</ul>
      <p class="hint">{t('sumHint')}</p>
    </div>
  );
}

/** Days from today in words: "today", "tomorrow", "in 40 days". */
export const waitInDays = (days: number, language: Language) =>
  new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day');
