import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Language } from '../../errors/catalog.js';
import { Announcer } from './announcer.js';
import { cellTextsIn } from './cells.js';
import { filesOfDrop, filesOfInput, type ChosenFiles } from './dropped-files.js';
import { DropOverlay } from './drop-overlay.js';
import { dayOf } from './format.js';
import { isPending } from './item.js';
import { LimitView } from './limit-view.js';
import type { Model } from './model.js';
import { PauseNotice } from './pause-notice.js';
import { select, type Choice } from './selection.js';
import { Start } from './start.js';
import { Summary } from './summary.js';
import { Table } from './table.js';
import { textsIn } from './texts.js';
import { Toolbar } from './toolbar.js';

const EVERYTHING: Choice = { filter: 'all', search: '', sort: undefined, descending: false };
/** With more files, details open on demand. */
const OPEN_UP_TO = 3;

export function App({ model, version }: { model: Model; version: string }) {
  const [, update] = useReducer<number, undefined>((count) => count + 1, 0);
  useEffect(() => model.subscribe(() => update(undefined)), [model]);
  const { items } = model.inventory;
  const { language } = model;
  const t = textsIn(language);
  const today = dayOf(Date.now());

  const [choice, setChoice] = useState(EVERYTHING);
  const selection = useMemo(
    () => select(items, choice, cellTextsIn(language), today),
    [items, choice, language, today],
  );

  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((id: number) => {
    setOpen((open) => {
      const next = new Set(open);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const count = items.length;
  const before = useRef(0);
  useLayoutEffect(() => {
    const added = items.slice(before.current);
    before.current = count;
    if (count <= OPEN_UP_TO && added.length > 0) {
      setOpen((open) => new Set([...open, ...added.map(({ id }) => id)]));
    }
  }, [count]);

  const [skipped, setSkipped] = useState<ChosenFiles | undefined>();
  const [isAdding, setAdding] = useState(false);
  const add = async (chosen: Promise<ChosenFiles> | ChosenFiles) => {
    setAdding(true);
    const files = await chosen;
    setSkipped(files.skipped + files.unreadable > 0 || files.files.length === 0 ? files : undefined);
    await model.add(files.files);
    setAdding(false);
  };

  useEffect(() => {
    const decided = count - items.filter(isPending).length;
    document.title = decided < count ? `${decided}/${count} · ${t('title')}` : t('title');
  });

  const speak = (next: Language) => {
    model.language = next;
    document.documentElement.lang = next;
    // For a reload.
    history.replaceState(null, '', `/?lang=${next}`);
    model.notify();
    update(undefined);
  };

  return (
    <>
      <header class="head">
        <h1>
          <img src="/icon.svg" alt="" width="32" height="32" /> {t('name')} <small>{t('tagline')}</small>
        </h1>
        <nav>
          <a href="/docs">{t('apiReference')}</a>
          <LanguageLink language={language} speak={speak} />
        </nav>
      </header>
      <main>
        <Start
          t={t}
          isEmpty={count === 0}
          isAdding={isAdding}
          skipped={skipped}
          hideSkipped={() => setSkipped(undefined)}
          onInput={(files) => void add(filesOfInput(files))}
          onExample={(files) => void add({ files, skipped: 0, unreadable: 0 })}
        />
        <PauseNotice model={model} t={t} />
        <LimitView model={model} t={t} />
        {count > 0 && (
          <section class="results" aria-labelledby="results-title">
            <Toolbar
              model={model}
              t={t}
              selection={selection}
              choice={choice}
              setChoice={(change) => setChoice((before) => ({ ...before, ...change }))}
            />
            <Summary items={items} t={t} today={today} language={language} />
            <Table
              model={model}
              selection={selection}
              choice={choice}
              setChoice={(change) => setChoice((before) => ({ ...before, ...change }))}
              open={open}
              toggle={toggle}
              today={today}
              language={language}
            />
          </section>
        )}
      </main>
      <footer>
        <p>{t('privacy')}</p>
        <p>
          {t('name')} · {t('version', { version })} · <a href="/docs">{t('apiReference')}</a>
        </p>
      </footer>
      <Announcer model={model} t={t} />
      <DropOverlay t={t} onDrop={(items) => void add(filesOfDrop(items))} />
    </>
  );
}

function LanguageLink({ language, speak }: { language: Language; speak: (next: Language) => void }) {
  const next = language === 'ru' ? 'en' : 'ru';
  return (
    <a
      href={`/?lang=${next}`}
      lang={next}
      onClick={(event) => {
        event.preventDefault();
        speak(next);
      }}
    >
      {next === 'ru' ? 'Русский' : 'English'}
    </a>
  );
}
