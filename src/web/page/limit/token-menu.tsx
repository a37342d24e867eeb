import { useEffect } from 'preact/hooks';
import { TOKEN_PROBLEMS } from '../../../errors/token-problems.js';
import type { Access } from '../model/access.js';
import { formatMoment, formatWindow } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { Menu, MenuButton, setMenuOpen } from '../ui/menu.js';
import { useStore } from '../ui/use-store.js';

/** The id of the menu. */
export const TOKEN_MENU = 'token-menu';

/** What the service reads without a token, and the form that lifts this limit. */
export function TokenMenu() {
  const store = useStore();
  const { isMenuOpen, token } = store.access.value;
  // The menu may have been closed since this was drawn.
  useEffect(() => setMenuOpen(TOKEN_MENU, store.access.peek().isMenuOpen), [store, isMenuOpen]);
  return (
    <>
      <MenuButton menu={TOKEN_MENU}>
        <TokenLabel />
      </MenuButton>
      <Menu id={TOKEN_MENU} onToggle={(isOpen) => store.dispatch({ type: 'tokenMenuToggled', isOpen })}>
        {token === undefined ? <TokenForm /> : <AcceptedToken />}
        <TokenState />
      </Menu>
    </>
  );
}

function TokenLabel() {
  const { problem, quota, token, wasAccepted } = useStore().access.value;
  const { limit, windowSeconds } = quota;
  if (problem) return <span class="problem">{t(wasAccepted ? 'tokenEnded' : 'tokenProblem')}</span>;
  if (token !== undefined) return <>{t('tokenAccepted')}</>;
  if (limit === 0) return <>{t('limitNone')}</>;

  const window = formatWindow(windowSeconds, language.value);
  return <>{t('limitFree', { limit, window })}</>;
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
  const { candidate, problem, wasAccepted } = useStore().access.value;
  return (
    <>
      <p role="status">{candidate !== undefined && t('tokenChecked')}</p>
      {problem && (
        <p class="problem" role="alert">
          {t(wasAccepted ? 'tokenLost' : 'tokenRejected', { reason: reasonOf(problem) })}
        </p>
      )}
    </>
  );
}

function reasonOf(problem: NonNullable<Access['problem']>): string {
  if (problem === 'malformed') return t('tokenMalformed');
  if (problem === 'unchecked') return t('tokenUnchecked');
  return TOKEN_PROBLEMS[problem][language.value];
}

function TokenForm() {
  const store = useStore();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('token') as HTMLInputElement;
    const text = field.value;
    field.value = '';
    await store.useToken(text);
    // The form goes away. The next press of Enter must not do the opposite.
    const isAccepted = store.access.value.token !== undefined;
    if (isAccepted) focusReading();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label for="token">{t('token')}</label>
      <input id="token" autocomplete="off" spellcheck={false} required />
      <button class="main">{t('useToken')}</button>
      <p class="hint">{t('tokenHint')}</p>
      <Remaining />
    </form>
  );
}

function focusReading(): void {
  const target = document.getElementById('strip') ?? document.getElementById('page-title');
  target?.focus();
}

/** What is left of the limit; nothing while it is whole. */
function Remaining() {
  const { access, left, now } = useStore();
  const { limit, resetAt } = access.value.quota;
  const isWhole = now.value >= resetAt || left.value >= limit;
  if (isWhole) return null;

  const remaining = Math.max(0, left.value);
  const time = formatMoment(resetAt, language.value, now.value);
  return <p class="hint">{t('quota', { remaining, limit, time })}</p>;
}
