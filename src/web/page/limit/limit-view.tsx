import { TOKEN_PROBLEMS } from '../../../errors/token-problems.js';
import type { License } from '../model/license.js';
import { formatMoment, formatWait, formatWindow } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { Button, Checkbox } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/** What the limit allows, what waits for the user's choice because of it, and the way to lift it. */
export function LimitView() {
  const { access, isReading, licenses, queue } = useStore();
  const { token, problem, wasAccepted } = access.value;
  const unread = licenses.value.filter(({ isUnread }) => isUnread);
  // While files are read, how far that is and why it is paused is what to know.
  const isChoice = unread.length > 0 && !queue.value.pause;
  return (
    <section class={isChoice ? 'limit notice' : 'limit'}>
      {isChoice && <UnreadText unread={unread} />}
      {isChoice && <ReadButton count={unread.length} />}
      {!isChoice && <p>{token === undefined ? <Quota /> : t('tokenAccepted')}</p>}
      {!isChoice && !isReading.value && <ReadAgainButton />}
      <TokenButton />
      <div id="token-form">{access.value.isAsked && <TokenForm />}</div>
      <TokenState />
      {problem && (
        <p class="problem" role="alert">
          {t(wasAccepted ? 'tokenLost' : 'tokenRejected', { reason: reasonOf(problem) })}
        </p>
      )}
    </section>
  );
}

/** What only the service can read, and what the limit allows. */
function UnreadText({ unread }: { unread: readonly License[] }) {
  const { access, given, isReading, left, now } = useStore();
  const { limit, resetAt, windowSeconds } = access.value.quota;
  // What is being read is not read yet either.
  const pending = given.value.filter(({ isPending }) => isPending);
  const count = unread.length + pending.length;
  const hasToken = left.value === Infinity;
  const isUsedUp = left.value <= 0 && !isReading.value;
  if (hasToken) return <p>{t('unreadFiles', { count })}</p>;
  if (limit === 0) return <p>{t('needsToken')}</p>;
  if (!isUsedUp) {
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
  const goesOn = store.state.value.goesOnByItself;
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
          checked={goesOn}
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

function Quota() {
  const { access, now } = useStore();
  const { limit, remaining, resetAt, windowSeconds } = access.value.quota;
  if (limit === 0) return <>{t('limitNone')}</>;
  const isWhole = now.value >= resetAt || remaining === limit;
  if (isWhole) {
    const window = formatWindow(windowSeconds, language.value);
    return <>{t('limitFree', { limit, window })}</>;
  }
  const time = formatMoment(resetAt, language.value, now.value);
  return <>{t('quota', { remaining, limit, time })}</>;
}

function TokenButton() {
  const store = useStore();
  const { token, isAsked } = store.access.value;
  if (token !== undefined) return <Button text={t('forgetToken')} onClick={() => store.forgetToken()} />;
  return (
    <Button
      text={t('haveToken')}
      aria-expanded={isAsked}
      aria-controls="token-form"
      onClick={() => store.dispatch({ type: 'tokenFormToggled' })}
    />
  );
}

/** Whether a token that was entered is being checked. */
function TokenState() {
  const { access, isReading } = useStore();
  const { candidate, isChecking } = access.value;
  const isBeingChecked = isChecking || isReading.value;
  return (
    <p class="token-state" role="status">
      {candidate !== undefined && t(isBeingChecked ? 'tokenChecked' : 'tokenPending')}
    </p>
  );
}

function reasonOf(problem: keyof typeof TOKEN_PROBLEMS | 'malformed'): string {
  return problem === 'malformed' ? t('tokenMalformed') : TOKEN_PROBLEMS[problem][language.value];
}

/** A form that opens by itself leaves the focus to those who type elsewhere. */
const focus = (field: HTMLInputElement | null) => {
  if (!document.activeElement?.matches('input')) field?.focus();
};

function TokenForm() {
  const store = useStore();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('token') as HTMLInputElement;
    void store.useToken(field.value);
    field.value = '';
  };
  return (
    <form onSubmit={submit}>
      <label for="token">{t('token')}</label>
      <input ref={focus} id="token" autocomplete="off" spellcheck={false} required />
      <button class="main">{t('useToken')}</button>
      <p class="hint">{t('tokenHint')}</p>
    </form>
  );
}
