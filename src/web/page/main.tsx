import { options, render } from 'preact';
import { App } from './app.js';
import { Model } from './model/model.js';
import { rowTexts } from './ui/row-texts.js';
import { language } from './texts/language.js';
import { keepFocus } from './ui/keep-focus.js';

/** Milliseconds between two drawings: answers that come one upon the other are drawn together. */
const DRAW_MS = 50;
let drawnAt = 0;
options.debounceRendering = (draw) =>
  void setTimeout(
    () => {
      drawnAt = performance.now();
      draw();
    },
    drawnAt + DRAW_MS - performance.now(),
  );

const { version = '', limit, windowSeconds, timeoutMs, maxFileBytes } = document.body.dataset;
language.value = document.documentElement.lang === 'ru' ? 'ru' : 'en';
const model = new Model({
  limit: Number(limit),
  windowSeconds: Number(windowSeconds),
  timeoutMs: Number(timeoutMs),
  maxFileBytes: Number(maxFileBytes),
  language,
  describe: rowTexts,
});

const page = document.getElementById('page');
if (page) {
  render(<App model={model} version={version} />, page);
  keepFocus(page);
}

addEventListener('beforeunload', (event) => {
  if (model.inventory.licenses.value.length > 0) event.preventDefault();
});

setInterval(() => model.tick(), 1000);
