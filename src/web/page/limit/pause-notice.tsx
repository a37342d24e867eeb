import { useModel } from '../ui/use-model.js';
import { formatWait } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { Button } from '../ui/controls.js';

/** Says once, above everything, why reading has stopped and when it goes on. */
export function PauseNotice() {
  const { inventory, runner, now } = useModel();
  const pause = runner.pause.value;
  const count = inventory.pending.value.size;
  if (!pause || count === 0) return null;
  const { text, language: told } = tell(pause.problem);
  return (
    <section class="notice pause">
      <h2>{t('paused')}</h2>
      <p lang={told}>{text}</p>
      <p>
        {t('goesOn', { wait: formatWait(pause.until - now.value, language.value) })}{' '}
        {t('notReadYet', { count })} <Button text={t('continueNow')} onClick={() => runner.goOn()} />
      </p>
    </section>
  );
}
