import { useEffect } from 'preact/hooks';
import { LANGUAGES, type Language } from '../../errors/catalog.js';
import { DropOverlay } from './files/drop-overlay.js';
import { LeftOutNotice } from './files/left-out.js';
import { Start } from './files/start.js';
import { Limit } from './limit/token-dialog.js';
import { Filters } from './list/filters.js';
import { ListHead } from './list/list-head.js';
import { Table } from './list/table.js';
import type { Store } from './model/store.js';
import { formatDate } from './texts/format.js';
import { language, t } from './texts/language.js';
import { Announcer } from './ui/announcer.js';
import { StoreProvider, useStore } from './ui/use-store.js';

export function App({ store, version }: { store: Store; version: string }) {
  return (
    <StoreProvider value={store}>
      <Head />
      <Main />
      <footer>
        <p>
          {t('name')} · {t('version', { version })} ·{' '}
          {/* In another tab: nothing keeps the list when the page is left. */}
          <a href="docs" target="_blank" rel="noopener">
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
  const { today } = useStore().view;
  return (
    <header class="head">
      <h1 id="page-title" tabIndex={-1}>
        <img src="icon.svg" alt="" width="32" height="32" />{' '}
        <span>
          {t('name')} <small>{t('tagline')}</small>{' '}
          <small class="on-paper">{t('printedOn', { date: formatDate(today.value, language.value) })}</small>
        </span>
      </h1>
      <nav>
        <Limit />
        {/* Keyed by their places, so that the link that was pressed keeps the focus. */}
        {LANGUAGES.filter((other) => other !== language.value).map((other, place) => (
          <LanguageLink key={place} to={other} />
        ))}
      </nav>
    </header>
  );
}

function Main() {
  const { licenses } = useStore();
  const isEmpty = licenses.value.length === 0;
  return (
    <main>
      <LeftOutNotice />
      {isEmpty ? <Start /> : <Results />}
      <DropOverlay />
    </main>
  );
}

/** A list: what there is to say of it, which part of it is shown, and the table. */
function Results() {
  const { licenses, view } = useStore();
  const isList = licenses.value.length > 1 || view.isPart.value;
  return (
    <section class="results" aria-labelledby="results-title">
      <ListHead />
      {/* A single license needs no filters, but their place is kept for when another one is added. */}
      <div class="filters">{isList && <Filters />}</div>
      <Table />
    </section>
  );
}

/** How far it is, for those who look at another page meanwhile. */
function Title() {
  const { isReading, pause, progress } = useStore();
  const { asked, decided } = progress.value;
  const state = pause.value ? t('paused') : `${decided}/${asked}`;
  const title = isReading.value ? `${state} · ${t('title')}` : t('title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

/** Each in its own language. */
const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', ru: 'Русский' };

function LanguageLink({ to }: { to: Language }) {
  const change = (event: MouseEvent) => {
    // Who wants another tab or window gets one.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    language.value = to;
    document.documentElement.lang = to;
    // For a reload.
    history.replaceState(history.state, '', `?lang=${to}`);
  };
  return (
    <a href={`?lang=${to}`} lang={to} onClick={change}>
      {LANGUAGE_NAMES[to]}
    </a>
  );
}
