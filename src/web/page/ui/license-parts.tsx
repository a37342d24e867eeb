import { daysBetween } from '../model/day.js';
import { isExpired } from '../model/facts.js';
import type { License } from '../model/license.js';
import { rowTexts } from './row-texts.js';
import { waitInDays } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { useModel } from './use-model.js';

/** The paths of a license's files, each of which breaks before its name. */
export const Paths = ({ license }: { license: License }) => (
  <>
    {license.places.value.length > 1 && `${t('fileCount', { count: license.places.value.length })}: `}
    {license.places.value.map(({ folder, name }, index) => (
      <bdi key={index}>
        {index > 0 && ', '}
        {folder && <span class="folder">{folder}/</span>}
        <wbr />
        {name}
      </bdi>
    ))}
  </>
);

/** Days before its end in which a license asks for attention, and in which it should be thought of. */
const URGENT_DAYS = 30;
const SOON_DAYS = 90;

/** The day on which a license expires, and how far that is. */
export function Term({ license, isReplaced }: { license: License; isReplaced: boolean }) {
  const { list } = useModel();
  const { known } = license;
  const today = list.today.value;
  const { validUntil } = rowTexts(license);
  if (known.validUntil === null) {
    const isRead = license.state.name === 'done';
    return validUntil || !isRead ? <>{validUntil}</> : <span class="mark far">{t('termNotStated')}</span>;
  }
  const days = daysBetween(today, known.validUntil);
  const kind = isReplaced ? 'far' : days <= URGENT_DAYS ? 'urgent' : days <= SOON_DAYS ? 'soon' : 'far';
  return (
    <>
      <span class="unbroken">{validUntil}</span>{' '}
      <span class={`mark ${kind}`}>
        {isExpired(known, today) && !isReplaced ? t('expiredMark') : waitInDays(days, language.value)}
      </span>
    </>
  );
}
