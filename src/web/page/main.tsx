import { options, render } from 'preact';
import { LANGUAGES } from '../../errors/catalog.js';
import { App } from './app.js';
import { loadExport } from './excel/excel-dialog.js';
import { COLUMNS } from './list/columns.js';
import { Store } from './model/store.js';
import { language } from './texts/language.js';
import { keepFocus } from './ui/keep-focus.js';
import { rowTexts } from './license/row-texts.js';

/** Milliseconds between two drawings: answers that come one upon the other are drawn together. */
const DRAW_MS = 100;
let drawnAt = 0;
options.debounceRendering = (draw) => {
  const wait = drawnAt + DRAW_MS - performance.now();
  setTimeout(() => {
    drawnAt = performance.now();
    draw();
  }, wait);
};

const { version = '', limit, windowSeconds, acceptsTokens, timeoutMs, maxFileBytes } = document.body.dataset;
language.value = LANGUAGES.find((known) => known === document.documentElement.lang) ?? LANGUAGES[0];
const store = new Store({
  limit: Number(limit),
  windowSeconds: Number(windowSeconds),
  acceptsTokens: acceptsTokens === 'on',
  timeoutMs: Number(timeoutMs),
  maxFileBytes: Number(maxFileBytes),
  language,
  words: rowTexts,
  columns: COLUMNS,
});

const page = document.getElementById('page');
if (page) {
  render(<App store={store} version={version} />, page);
  keepFocus(page);
}

/**
 * Milliseconds after which the export is loaded, so that it does not keep the page waiting. In advance, because after an
 * update of the service its old file is gone, and the user could no longer save what has been read.
 */
const LOAD_EXPORT_MS = 1000;
setTimeout(() => void loadExport().catch(() => undefined), LOAD_EXPORT_MS);

addEventListener('beforeunload', (event) => {
  if (store.licenses.value.length > 0) event.preventDefault();
});

// A window that was behind another one gets the focus, but was visible all the time.
for (const event of ['visibilitychange', 'focus']) {
  addEventListener(event, () => {
    if (document.visibilityState === 'visible') void store.refresh();
  });
}

setInterval(() => store.tick(), 1000);
