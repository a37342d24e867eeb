import type { Order, Term } from '../model/order.js';
import { SOON_DAYS } from '../model/validity.js';
import type { Group } from '../model/view.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { useStore } from '../ui/use-store.js';
import { totalText } from '../texts/seat-texts.js';

interface HeadingProps {
  group: Group;
  columnCount: number;
}

/** What a part of the list has in common, how many licenses it has, and for how many users they are good. */
export function Heading({ group, columnCount }: HeadingProps) {
  const order = useStore().view.order.value;
  const { heading, licenses, seats } = group;
  // What could not be read may be no license.
  const count = t(heading === 'failed' ? 'fileCount' : 'licenseCount', { count: licenses.length });
  const figures = [count, totalText(seats)].filter(Boolean).join(' · ');
  return (
    <tr role="row" class={`heading ${order === 'term' ? heading : ''}`}>
      <td role="cell" colSpan={columnCount}>
        <h3>{headingText(heading, order)}</h3> {figures}
      </td>
    </tr>
  );
}

const TERM_TEXTS: Record<Term, TextKey> = {
  failed: 'termFailed',
  soon: 'expiring',
  expired: 'expired',
  later: 'termLater',
  unlimited: 'termUnlimited',
  unknown: 'termUnknown',
  replaced: 'termReplaced',
};

function headingText(heading: string, order: Order): string {
  if (order === 'computer') return heading || t('computerUnknown');
  return t(TERM_TEXTS[heading as Term], { days: SOON_DAYS });
}
