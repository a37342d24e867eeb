import { SOON_DAYS, type Validity } from '../model/validity.js';
import type { Group } from '../model/view.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { rowsText, totalText } from '../texts/seat-texts.js';
import { useStore } from '../ui/use-store.js';
import { COLUMNS } from './columns.js';

/** The term of a part of the list, how many licenses it has, and for how many users they are good. */
export function Heading({ group }: { group: Group }) {
  const { view } = useStore();
  const { heading, licenses, seats } = group;
  if (heading === '') return null;

  const figures = [rowsText(licenses, view), totalText(seats)].filter(Boolean).join(' · ');
  return (
    <tr role="row" class={`heading ${heading}`}>
      <td role="cell" colSpan={COLUMNS.length}>
        <h3>{t(TERM_TEXTS[heading], { days: SOON_DAYS })}</h3> {figures}
      </td>
    </tr>
  );
}

const TERM_TEXTS: Record<Validity, TextKey> = {
  soon: 'expiring',
  expired: 'expired',
  later: 'termLater',
  unlimited: 'termUnlimited',
  unknown: 'termUnknown',
  replaced: 'termReplaced',
  unlikely: 'termUnlikely',
};
