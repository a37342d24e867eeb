import { useEffect } from 'preact/hooks';
import { ExcelButton } from './excel/excel-button.js';
import { Start } from './files/start.js';
import { Panel } from './license/panel.js';
import { LimitView } from './limit/limit-view.js';
import { PauseNotice } from './limit/pause-notice.js';
import { Choice } from './list/choice.js';
import { ListNotice } from './list/list-notice.js';
import { Table } from './list/table.js';
import { Tiles } from './list/tiles.js';
import { Toolbar } from './list/toolbar.js';
import type { SheetProblem } from './model/problem.js';
import type { Sheet } from './model/sheet.js';
import type { Store } from './model/store.js';
import { formatDate } from './texts/format.js';
import { language, t } from './texts/language.js';
import { Announcer } from './ui/announcer.js';
import { StoreProvider, useStore } from './ui/use-store.js';

/** The library for it comes when it is needed, unless an update of the service has taken it away. */
async function readSheet(file: File): Promise<Sheet | SheetProblem> {
  try {
    const reader = await import('./excel/read-sheet.js');
    return await reader.readSheet(file);
  } catch {
    return 'noSheetReader';
  }
}

export function App({ store, version }: { store: Store; version: string }) {
  return (
    <StoreProvider value={store}>
      <Head />
      <main>
        <Start readSheet={readSheet} />
        <PauseNotice />
        <LimitView />
        <ListNotice />
        <Results />
      </main>
      <footer>
        <p>{t('privacy')}</p>
        <p>
          {t('name')} · {t('version', { version })} ·{' '}
          {/* In another tab: nothing keeps the list when the page is left. */}
          <a class="api-link" href="/docs" target="_blank" rel="noopener">
            {t('apiReference')}
          </a>
        </p>
      </footer>
      <Announcer />
      <Title />
    </StoreProvider>
  );
}

function Head() {
  const { today } = useStore();
  return (
    <header class="head">
      <h1>
        <img src="/icon.svg" alt="" width="32" height="32" /> {t('name')} <small>{t('tagline')}</small>{' '}
        <small class="on-paper">{t('printedOn', { date: formatDate(today.value, language.value) })}</small>
      </h1>
      <nav>
        <LanguageLink />
      </nav>
    </header>
  );
}

function Results() {
  const { licenses, view } = useStore();
  const total = licenses.value.length;
  useOnlyOpen();
  if (total === 0) return null;
  return (
    <section class="results" aria-labelledby="results-title">
      <Toolbar>
        <ExcelButton />
      </Toolbar>
      {total > 1 && <Tiles />}
      {total > 1 && <Choice />}
      <div class={view.open.value ? 'with-panel' : ''}>
        <div class="table">
          <Table />
        </div>
        <Panel />
      </div>
    </section>
  );
}

/** Opens the details of a single license. With more of them, details open on demand. */
function useOnlyOpen(): void {
  const { licenses, view } = useStore();
  const [first, second] = licenses.value;
  const onlyId = second ? undefined : first?.id;
  useEffect(() => {
    if (onlyId === undefined) return undefined;
    view.chosen.value = onlyId;
    return () => {
      if (view.chosen.value === onlyId) view.chosen.value = undefined;
    };
  }, [view, onlyId]);
}

/** How far it is, for those who look at another page meanwhile. */
function Title() {
  const { isReading, progress, queue } = useStore();
  const { asked, decided } = progress.value;
  const state = queue.value.pause ? t('paused') : `${decided}/${asked}`;
  const title = isReading.value ? `${state} · ${t('title')}` : t('title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

function LanguageLink() {
  const next = language.value === 'ru' ? 'en' : 'ru';
  const change = (event: MouseEvent) => {
    // Who wants another tab or window gets one.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    language.value = next;
    document.documentElement.lang = next;
    // For a reload.
    history.replaceState(null, '', `/?lang=${next}`);
  };
  return (
    <a href={`/?lang=${next}`} lang={next} onClick={change}>
      {next === 'ru' ? 'Русский' : 'English'}
    </a>
  );
}
