import type { ComponentChildren } from 'preact';
import { t } from '../texts/language.js';
import { outcomeText } from '../ui/announcer.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/**
 * How far it is, and what can be done with all files.
 * @param children further actions
 */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const store = useStore();
  const given = store.given.value;
  const pending = given.filter(({ isPending }) => isPending);
  const failed = given.filter(({ isFailed, isRefused, canBeAsked }) => isFailed && !isRefused && canBeAsked);
  return (
    <header class="bar">
      <h2 id="results-title">{t('results')}</h2>
      <Progress />
      <div class="actions">
        {pending.length > 1 && <Button text={t('cancelAll')} onClick={() => store.cancel(pending)} />}
        {failed.length > 0 && store.canRead.value && (
          <Button text={t('retryAll')} onClick={() => store.read(failed)} />
        )}
        {children}
        <RemoveShown />
        <Button text={t('clearAll')} onClick={() => store.clear()} />
      </div>
    </header>
  );
}

function RemoveShown() {
  const store = useStore();
  const shown = store.view.shown.value;
  if (shown.length === 0 || !store.view.isPart.value) return null;
  return <Button text={t('removeShown', { count: shown.length })} onClick={() => store.remove(shown)} />;
}

/** How far the reading is of what was asked for; else what was given and read. */
function Progress() {
  const { files, given, isReading, progress } = useStore();
  if (!isReading.value) {
    return (
      <p class="progress">
        {files.value.length > 0 && <span>{t('fileCount', { count: files.value.length })}</span>}
        <span>{outcomeText(given.value)}</span>
      </p>
    );
  }
  const { asked, decided } = progress.value;
  return (
    <p class="progress">
      <progress aria-label={t('results')} value={decided} max={asked} />{' '}
      <span class="unbroken">
        {asked === 1 ? t('decoding') : t('progress', { asked, decided, total: given.value.length })}
      </span>
    </p>
  );
}
