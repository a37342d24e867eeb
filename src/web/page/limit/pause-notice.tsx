import { pendingIn } from '../model/queue.js';
import { formatWait } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/** Says once, above everything, why reading has stopped and when it goes on. */
export function PauseNotice() {
  const store = useStore();
  const { pause } = store.queue.value;
  if (!pause) return null;
  const { text, language: told } = tell(pause.problem);
  const wait = formatWait(pause.until - store.now.value, language.value);
  return (
    <section class="notice pause">
      <h2>{t('paused')}</h2>
      <p lang={told}>{text}</p>
      <p>
        {t('goesOn', { wait })} {t('notReadYet', { count: pendingIn(store.queue.value) })}{' '}
        <Button text={t('continueNow')} onClick={() => store.continueNow()} />
      </p>
    </section>
  );
}
