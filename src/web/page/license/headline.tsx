import { isExpired } from '../model/facts.js';
import type { License } from '../model/license.js';
import { daysLeft } from '../model/validity.js';
import { t } from '../texts/language.js';
import { rowTexts, stateText } from './row-texts.js';
import { useStore } from '../ui/use-store.js';

/** How long a license counts, or why it does not, and the day on which it expires. */
export function Headline({ license }: { license: License }) {
  const { minute, view } = useStore();
  const assessment = view.assessmentOf(license);
  const { validity } = assessment;
  const today = view.today.value;
  const state = stateText(license, assessment, today);
  const isCountdown = (validity === 'soon' || validity === 'later') && daysLeft(license, today) !== 0;
  const text = isCountdown ? t('daysLeft', { time: state }) : state;
  const date = rowTexts(license).validUntil;
  const hasExpired = isExpired(license.facts, minute.value);
  return (
    <p class="headline">
      <strong class={validity}>{text}</strong>{' '}
      {license.facts.validUntil !== null && (
        <span class="unbroken">{t(hasExpired ? 'expiredOn' : 'validUntilDate', { date })}</span>
      )}
      {license.facts.isOldFile && <span>{t('oldFile')}</span>}
    </p>
  );
}
