import { TOKEN_PROBLEMS } from '../../../errors/token-problems.js';
import { useModel } from '../ui/use-model.js';
import { formatMoment, formatWait, formatWindow } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { Button, Checkbox } from '../ui/controls.js';

/** What the limit allows, what waits for the user's choice because of it, and the way to lift it. */
export function LimitView() {
  const { access, inventory, runner } = useModel();
  // While reading is paused, that is what to know.
  const waits = !runner.pause.value && inventory.licenses.value.some(({ isUnread }) => isUnread);
  const { problem, isAsked } = access;
  const reason =
    problem.value &&
    (problem.value === 'malformed' ? t('tokenMalformed') : TOKEN_PROBLEMS[problem.value][language.value]);
  return (
    <section class={waits ? 'limit notice' : 'limit'}>
      {waits ? <Unread /> : <p>{access.token.value !== undefined ? t('tokenAccepted') : <Quota />}</p>}
      {!waits && <Listed />}
      {access.token.value !== undefined ? (
        <Button text={t('forgetToken')} onClick={() => access.forget()} />
      ) : (
        <Button
          text={t('haveToken')}
          aria-expanded={isAsked.value}
          aria-controls="token-form"
          onClick={() => (isAsked.value = !isAsked.value)}
        />
      )}
      <div id="token-form">{isAsked.value && <TokenForm />}</div>
      <p class="token-state" role="status">
        {access.candidate.value !== undefined &&
          t(access.isChecking.value || inventory.pending.value.size > 0 ? 'tokenChecked' : 'tokenPending')}
      </p>
      {reason && (
        <p class="problem" role="alert">
          {t('tokenRejected', { reason })}
        </p>
      )}
    </section>
  );
}

/** What only the service can read, and the choice to have it read. */
function Unread() {
  const model = useModel();
  const { limit, resetAt } = model.access.quota.value;
  const left = model.left.value;
  const readable = Math.min(left, model.unread.length);
  const now = model.now.value;
  return (
    <>
      <p>
        {limit === 0
          ? t('needsToken')
          : left === Infinity
            ? ''
            : left > 0
              ? t('needsService', { left })
              : t('needsLimit', {
                  time: formatMoment(resetAt, language.value, now),
                  wait: formatWait(resetAt - now, language.value),
                })}
      </p>
      {readable > 0 && (
        <Button class="main" text={t('readSome', { count: readable })} onClick={() => model.readNext()} />
      )}
      {limit > 0 && (
        <Checkbox
          text={t('auto')}
          checked={model.goesOnByItself.value}
          onChange={(isChosen) => (model.goesOnByItself.value = isChosen)}
        />
      )}
    </>
  );
}

/** What a sheet tells the PIN codes of, and the choice to have the rest of it read too. */
function Listed() {
  const model = useModel();
  const { listed } = model;
  const count = Math.min(model.left.value, listed.length);
  if (count <= 0) return null;
  return <Button text={t('readListed', { count })} onClick={() => model.readNext(listed)} />;
}

function Quota() {
  const { access, now, windowSeconds } = useModel();
  const { limit, remaining, resetAt } = access.quota.value;
  if (limit === 0) return <>{t('limitNone')}</>;
  return now.value < resetAt ? (
    <>{t('quota', { remaining, limit, time: formatMoment(resetAt, language.value, now.value) })}</>
  ) : (
    <>{t('limitFree', { limit, window: formatWindow(windowSeconds, language.value) })}</>
  );
}

/** A form that opens by itself leaves the focus to those who type elsewhere. */
const focus = (field: HTMLInputElement | null) => {
  if (!document.activeElement?.matches('input')) field?.focus();
};

function TokenForm() {
  const model = useModel();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('token') as HTMLInputElement;
        void model.useToken(field.value);
        field.value = '';
      }}
    >
      <label for="token">{t('token')}</label>
      <input ref={focus} id="token" autocomplete="off" spellcheck={false} required />
      <button class="main">{t('useToken')}</button>
      <p class="hint">{t('tokenHint')}</p>
    </form>
  );
}
