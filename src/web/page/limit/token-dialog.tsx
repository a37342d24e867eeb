import { useEffect } from 'preact/hooks';
import { isDoubted, leftOf, type Access } from '../model/access.js';
import { formatWindow } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { announce } from '../ui/announcer.js';
import { Button } from '../ui/controls.js';
import { closeDialog, Dialog, DialogButton } from '../ui/dialog.js';
import { useStore } from '../ui/use-store.js';

/** The id of the dialog. */
export const TOKEN_DIALOG = 'token-dialog';

/** What the service reads without a token, and the way to lift this limit if there is one. */
export function Limit() {
  const { acceptsTokens } = useStore();
  if (acceptsTokens) return <TokenDialog />;
  return (
    <p class="limit">
      <LimitLabel />
    </p>
  );
}

function TokenDialog() {
  const store = useStore();
  const { token, wasAccepted } = store.access.value;
  useEffect(() => {
    // The dialog is closed then, so nobody hears what it says.
    if (wasAccepted) announce(t('tokenEnded'));
  }, [wasAccepted]);
  return (
    <>
      <DialogButton dialog={TOKEN_DIALOG}>
        <LimitLabel />
      </DialogButton>
      <Dialog id={TOKEN_DIALOG} title={t('noLimit')}>
        {token === undefined ? <TokenForm /> : <AcceptedToken />}
        <TokenState />
      </Dialog>
    </>
  );
}

/** What holds for the next file. */
function LimitLabel() {
  const { access, now } = useStore();
  const { quota, token } = access.value;
  const { limit, windowSeconds, resetAt } = quota;
  if (token !== undefined) {
    return <>{t(isDoubted(access.value, now.value) ? 'tokenDoubted' : 'tokenAccepted')}</>;
  }
  if (limit === 0) return <>{t('limitNone')}</>;

  const remaining = leftOf(access.value, now.value);
  const isWhole = now.value >= resetAt || remaining >= limit;
  const window = formatWindow(windowSeconds, language.value);
  return <>{isWhole ? t('limitFree', { limit, window }) : t('limitLeft', { remaining, limit })}</>;
}

function AcceptedToken() {
  const store = useStore();
  const forget = () => {
    store.dispatch({ type: 'tokenForgotten' });
  };
  return <Button text={t('forgetToken')} onClick={forget} />;
}

/** Whether the token that was entered is being checked, and why it is not accepted. */
function TokenState() {
  const { candidate, problem } = useStore().access.value;
  return (
    <>
      <p role="status">{candidate !== undefined && t('tokenChecked')}</p>
      {problem && (
        <p class="problem" role="alert">
          {t(PROBLEM_TEXTS[problem])}
        </p>
      )}
    </>
  );
}

/** What is wrong with the token, and what to do. */
const PROBLEM_TEXTS = {
  malformed: 'tokenMalformed',
  unchecked: 'tokenUnchecked',
  no_secret: 'tokenNoSecret',
  expired: 'tokenExpired',
  not_active: 'tokenNotActive',
  wrong_header: 'tokenInvalid',
  invalid: 'tokenInvalid',
} as const satisfies Record<NonNullable<Access['problem']>, TextKey>;

function TokenForm() {
  const store = useStore();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('token') as HTMLInputElement;
    await store.useToken(field.value);
    const isAccepted = store.access.value.token !== undefined;
    // A token that is not accepted stays in the field, to be corrected.
    if (!isAccepted) return;

    closeDialog(TOKEN_DIALOG);
    announce(t('tokenAccepted'));
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label for="token">{t('token')}</label>
      <input id="token" autocomplete="off" spellcheck={false} required />
      <button class="main">{t('useToken')}</button>
      <p class="hint">{t('tokenHint')}</p>
    </form>
  );
}
