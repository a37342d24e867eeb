import { licenseOf, stateOf, type Item } from '../model/item.js';
import { daysBetween } from '../model/day.js';
import { isExpired } from '../model/facts.js';
import { cellTexts } from '../texts/cells.js';
import { waitInDays } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { useModel } from './use-model.js';

/** The path of a file, which breaks before its name. */
export const Path = ({ item }: { item: Item }) => (
  <bdi>
    {item.folder && <span class="folder">{item.folder}/</span>}
    <wbr />
    {item.name}
  </bdi>
);

/** Days before its end in which a license asks for attention, and in which it should be thought of. */
const URGENT_DAYS = 30;
const SOON_DAYS = 90;

/** The day on which a license expires, and how far that is. */
export function Term({ item }: { item: Item }) {
  const { list } = useModel();
  const row = licenseOf(item);
  const today = list.today.value;
  const { validUntil } = cellTexts(item);
  if (row.validUntil === null) {
    const isRead = stateOf(item).name === 'done';
    return validUntil || !isRead ? <>{validUntil}</> : <span class="mark far">{t('termNotStated')}</span>;
  }
  const days = daysBetween(today, row.validUntil);
  const isReplaced = list.markOf(item) === 'replacedMark';
  const kind = isReplaced ? 'far' : days <= URGENT_DAYS ? 'urgent' : days <= SOON_DAYS ? 'soon' : 'far';
  return (
    <>
      <span class="unbroken">{validUntil}</span>{' '}
      <span class={`mark ${kind}`}>
        {isExpired(row, today) && !isReplaced ? t('expiredMark') : waitInDays(days, language.value)}
      </span>
    </>
  );
}
