import { useEffect, useState } from 'preact/hooks';
import { TOKEN_DIALOG } from '../limit/token-dialog.js';
import { isPending } from '../model/license.js';
import type { Store } from '../model/store.js';
import type { Filter } from '../model/filters.js';
import type { StripButton, StripText } from '../model/strip.js';
import { formatFrom, formatWait, formatWindow } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { openDialog } from '../ui/dialog.js';
import { useStore } from '../ui/use-store.js';

/** How the reading is, in a few short sentences, and what can be done about it. */
export function Strip() {
  const store = useStore();
  const { tone, problem, announced, silent, filter, button } = store.strip.value;
  const told = problem && tell(problem);
  const text = useText();
  const isHeard = useIsHeard();
  const press = ({ does }: StripButton) => {
    act(store, does);
    // The button goes away or means something else now. The next press of Enter must not do that.
    if (does !== 'enterToken') document.getElementById('strip')?.focus();
  };
  const show = (filter: Filter) => {
    store.view.showAll();
    store.view.choose(filter);
  };
  return (
    <section id="strip" class={`strip ${tone}`} tabIndex={-1} aria-labelledby="strip-text">
      <p id="strip-text">
        <span role="status">
          {isHeard && told && <span lang={told.language}>{told.text} </span>}
          {isHeard && announced?.map(text).join(' ')}
        </span>{' '}
        {silent && text(silent)}
      </p>
      <div class="actions">
        {filter && <Button text={t('showThem')} onClick={() => show(filter)} />}
        {button && (
          <Button
            class={tone === 'can' ? 'main' : ''}
            text={t(button.text, { count: button.count ?? 0 })}
            onClick={() => press(button)}
          />
        )}
        <Reading />
      </div>
    </section>
  );
}

/** Whether the live region is in the page already: screen readers say what it gets, but not what it comes with. */
function useIsHeard(): boolean {
  const [isHeard, setHeard] = useState(false);
  useEffect(() => setHeard(true), []);
  return isHeard;
}

/** How far the reading is of what was asked for, and the way to cancel it. */
function Reading() {
  const store = useStore();
  if (!store.isReading.value) return null;

  const { asked, decided } = store.progress.value;
  // Of one file nobody knows how far it is. Without a value the bar only says that something is under way.
  const value = asked > 1 ? { value: decided, max: asked } : {};
  const cancel = () => store.cancel(store.licenses.value.filter(isPending));
  return (
    <>
      {store.isReadingOn.value && <progress aria-label={t('readingProgress')} {...value} />}
      <Button text={t('cancelReading')} onClick={cancel} />
    </>
  );
}

/** Tells texts of the strip. */
function useText(): (key: StripText) => string {
  const { acceptsTokens, access, now, strip } = useStore();
  const { until, values } = strip.value;
  const { limit, windowSeconds } = access.value.quota;
  const moment = until !== undefined && {
    time: formatFrom(until, language.value, now.value),
    wait: formatWait(until - now.value, language.value),
  };
  const window = formatWindow(windowSeconds, language.value);
  const orToken = acceptsTokens ? t('orToken') : '';
  const all = { limit, window, orToken, ...values, ...moment };
  return (key) => t(key, all);
}

function act(store: Store, does: StripButton['does']): void {
  switch (does) {
    case 'check':
      store.dispatch({ type: 'checkWanted' });
      return;
    case 'read':
      store.read(store.unreadShown);
      return;
    case 'retry':
      store.read(store.retriable);
      return;
    case 'enterToken':
      openDialog(TOKEN_DIALOG);
      return;
  }
}
