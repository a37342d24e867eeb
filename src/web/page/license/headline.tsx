import { isExpired } from '../model/facts.js';
import type { License } from '../model/license.js';
import { daysLeft } from '../model/validity.js';
import { t } from '../texts/language.js';
import { rowTexts, stateText } from './row-texts.js';
import { useStore } from '../ui/use-store.js';

/** How long a license counts, or why it does not, and the day on which it expires. */
export function Headline({ license }: { license: License }) {
  const { minute, view } = useStore();
  const { facts, isUnlikely } = license;
  const assessment = view.assessmentOf(license);
  const today = view.today.value;
  const state = stateText(license, assessment, today);
  const isCounting = assessment.validity === 'soon' || assessment.validity === 'later';
  const isLastDay = daysLeft(license, today) === 0;
  const countdown = isLastDay ? t('lastDayLong') : t('daysLeft', { time: state });
  const date = rowTexts(license).validUntil;
  const hasExpired = isExpired(facts, minute.value);
  return (
    <p class="headline">
      <strong class={assessment.validity}>{isCounting ? countdown : state}</strong>{' '}
      {facts.validUntil !== null && (
        <span class="unbroken">{t(hasExpired ? 'expiredOn' : 'validUntilDate', { date })} </span>
      )}
      {license.problem && <span>{t('asFileSays')}</span>}
      {facts.hasNoClearText && !isUnlikely && <span>{t('oldFile')}</span>}
    </p>
  );
}
