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
import type { Model } from './model/model.js';
import { ModelProvider, useModel } from './ui/use-model.js';
import { formatDate } from './texts/format.js';
import { language, t } from './texts/language.js';
import { Announcer } from './ui/announcer.js';

/** The library for it comes when it is needed, unless an update of the service has taken it away. */
const readSheet = (file: File) =>
  import('./excel/read-sheet.js').then(
    (module) => module.readSheet(file),
    () => 'sheetBroken' as const,
  );

export function App({ model, version }: { model: Model; version: string }) {
  const { inventory, list } = model;
  const total = inventory.licenses.value.length;
  const [first] = inventory.licenses.value;
  const only = total === 1 ? first?.id : undefined;
  useEffect(() => {
    // With more licenses, details open on demand.
    if (only === undefined) return undefined;
    list.chosen.value = only;
    return () => {
      if (list.chosen.value === only) list.chosen.value = undefined;
    };
  }, [only]);
  return (
    <ModelProvider value={model}>
      <header class="head">
        <h1>
          <img src="/icon.svg" alt="" width="32" height="32" /> {t('name')} <small>{t('tagline')}</small>{' '}
          <small class="on-paper">
            {t('printedOn', { date: formatDate(list.today.value, language.value) })}
          </small>
        </h1>
        <nav>
          <LanguageLink />
        </nav>
      </header>
      <main>
        <Start readSheet={readSheet} />
        <PauseNotice />
        <LimitView />
        <ListNotice />
        {total > 0 && (
          <section class="results" aria-labelledby="results-title">
            <Toolbar>
              <ExcelButton />
            </Toolbar>
            {total > 1 && <Tiles />}
            {total > 1 && <Choice />}
            <div class={list.open.value ? 'with-panel' : ''}>
              <div class="table">
                <Table />
              </div>
              <Panel />
            </div>
          </section>
        )}
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
    </ModelProvider>
  );
}

/** How far it is, for those who look at another page meanwhile. */
function Title() {
  const { inventory, runner } = useModel();
  const { given, decided, pending } = inventory;
  const progress = runner.pause.value ? t('paused') : `${decided.value}/${given.value.length}`;
  const title = pending.value.size > 0 ? `${progress} · ${t('title')}` : t('title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

function LanguageLink() {
  const next = language.value === 'ru' ? 'en' : 'ru';
  return (
    <a
      href={`/?lang=${next}`}
      lang={next}
      onClick={(event) => {
        // Who wants another tab or window gets one.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        language.value = next;
        document.documentElement.lang = next;
        // For a reload.
        history.replaceState(null, '', `/?lang=${next}`);
      }}
    >
      {next === 'ru' ? 'Русский' : 'English'}
    </a>
  );
}
