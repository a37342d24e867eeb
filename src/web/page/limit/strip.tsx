import type { License } from '../model/license.js';
import { pendingIn } from '../model/queue.js';
import { formatMoment, formatWait, formatWindow } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { Button, Checkbox } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/** What is to be known of the reading, and what can be done about it: one sentence and one button. */
export function Strip() {
  const { licenses, queue, progress, given, isArriving, isReading } = useStore();
  const unread = licenses.value.filter(({ isUnread }) => isUnread);
  const { asked, decided } = progress.value;
  if (queue.value.pause) return <Paused />;
  if (isArriving.value && !isReading.value) {
    return (
      <section id="strip" class="strip" tabIndex={-1}>
        <p>{t('adding')}</p>
      </section>
    );
  }
  return (
    <section id="strip" class={unread.length > 0 ? 'strip can' : 'strip'} tabIndex={-1}>
      {isReading.value && <p>{t('progress', { asked, decided, total: given.value.length })}</p>}
      {!isReading.value && unread.length > 0 && <UnreadText unread={unread} />}
      {!isReading.value && unread.length > 0 && <ReadButton count={unread.length} />}
      {!isReading.value && unread.length === 0 && <ReadAgainButton />}
    </section>
  );
}

function Paused() {
  const store = useStore();
  const { pause } = store.queue.value;
  if (!pause) return null;
  const { text, language: told } = tell(pause.problem);
  const wait = formatWait(pause.until - store.now.value, language.value);
  return (
    <section id="strip" class="strip broken" tabIndex={-1}>
      <p lang={told}>
        {text} {t('goesOn', { wait })} {t('notReadYet', { count: pendingIn(store.queue.value) })}
      </p>
      <Button text={t('continueNow')} onClick={() => store.continueNow()} />
    </section>
  );
}

/** What only the service can read, and what the limit allows. */
function UnreadText({ unread }: { unread: readonly License[] }) {
  const { access, given, left, now } = useStore();
  const { limit, resetAt, windowSeconds } = access.value.quota;
  const count = unread.length;
  if (left.value === Infinity) return <p>{t('unreadFiles', { count })}</p>;
  if (limit === 0) return <p>{t('needsToken')}</p>;
  if (left.value > 0) {
    const window = formatWindow(windowSeconds, language.value);
    return (
      <p>
        {t('unreadFiles', { count })} {t('limitIs', { limit, window })}
      </p>
    );
  }
  const next = {
    count: Math.min(limit, count),
    time: formatMoment(resetAt, language.value, now.value),
    wait: formatWait(resetAt - now.value, language.value),
  };
  const read = given.value.filter(({ status }) => status === 'done').length;
  return (
    <p>
      {t('readOf', { read, total: given.value.length })} {t(next.count === 1 ? 'nextOneAt' : 'nextAt', next)}
    </p>
  );
}

/** The choice to have as many files read as the limit allows. */
function ReadButton({ count }: { count: number }) {
  const store = useStore();
  const { limit } = store.access.value.quota;
  const readable = Math.max(0, Math.min(store.left.value, store.unread.length));
  const isAll = readable === count;
  return (
    <>
      {readable > 0 && (
        <Button
          class="main"
          text={t(isAll ? 'readSome' : 'readUrgent', { count: readable })}
          onClick={() => store.read(store.unread)}
        />
      )}
      {limit > 0 && (
        <Checkbox
          text={t('auto')}
          checked={store.state.value.goesOnByItself}
          onChange={(isWanted) => store.dispatch({ type: 'goesOnByItself', isWanted })}
        />
      )}
    </>
  );
}

/** What a sheet tells the PIN codes of, and the choice to have the rest of it read too. */
function ReadAgainButton() {
  const store = useStore();
  const { knownFromSheet } = store;
  const count = Math.min(store.left.value, knownFromSheet.length);
  if (count <= 0) return null;
  return <Button text={t('readAgain', { count })} onClick={() => store.read(knownFromSheet)} />;
}
