import { useLayoutEffect, useRef } from 'preact/hooks';
import { TOKEN_PROBLEMS } from '../../errors/token-problems.js';
import { formatMoment, formatWait, formatWindow } from './format.js';
import type { Model } from './model.js';
import type { Tell } from './texts.js';
import { readableAt } from './waiting-time.js';

/** What is left of the limit, and the way to lift it. */
export function LimitView({ model, t }: { model: Model; t: Tell }) {
  const { access, inventory, runner, language } = model;
  const box = useRef<HTMLDetailsElement>(null);
  const needsToken = runner.pause !== undefined && runner.pause.reason !== 'outage';
  const isRejected = access.problem !== undefined;
  // Opens when a token would help and closes when there is one; in between it is the user's.
  useLayoutEffect(() => {
    if (box.current && (needsToken || isRejected)) box.current.open = true;
  }, [needsToken, isRejected]);
  useLayoutEffect(() => {
    if (box.current && access.isUnlimited) box.current.open = false;
  }, [access.isUnlimited]);

  const now = Date.now();
  const { limit, remaining, resetAt } = access.quota;
  const free =
    limit === 0
      ? t('limitNone')
      : now < resetAt
        ? t('quota', { remaining, limit, time: formatMoment(resetAt, language, now) })
        : t('limitFree', { limit, window: formatWindow(model.windowSeconds, language) });
  const waiting = inventory.pending().size;
  const last = readableAt(waiting, access.quota, model.windowSeconds, now);
  const isLong = access.current === undefined && !runner.pause && last > now && last < Infinity;
  const { problem } = access;
  const reason =
    problem && (problem === 'malformed' ? t('tokenMalformed') : TOKEN_PROBLEMS[problem][language]);
  return (
    <section class="limit">
      <p>
        {access.token !== undefined ? t('tokenAccepted') : !needsToken && free}
        {isLong &&
          ` ${t('allAt', { wait: formatWait(last - now, language), time: formatMoment(last, language, now) })}`}
      </p>
      {access.token !== undefined && (
        <button type="button" onClick={() => runner.forgetToken()}>
          {t('forgetToken')}
        </button>
      )}
      <details ref={box}>
        <summary>{t('haveToken')}</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const field = event.currentTarget.elements.namedItem('token') as HTMLInputElement;
            runner.useToken(field.value);
            field.value = '';
          }}
        >
          <label for="token">{t('token')}</label>
          <input id="token" name="token" autocomplete="off" spellcheck={false} required />
          <button class="main">{t('useToken')}</button>
          <p class="hint">{t('tokenHint')}</p>
        </form>
      </details>
      <p class="token-state" role="status">
        {access.candidate !== undefined && t(waiting > 0 ? 'tokenChecked' : 'tokenPending')}
      </p>
      {reason && (
        <p class="notice problem" role="alert">
          {t('tokenRejected', { reason })}
        </p>
      )}
    </section>
  );
}
