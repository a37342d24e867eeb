import { render } from 'preact';
import { App } from './app.js';
import { keepFocus } from './keep-focus.js';
import { Model } from './model.js';

const { version = '', limit, windowSeconds, timeoutMs } = document.body.dataset;
const model = new Model({
  language: document.documentElement.lang === 'ru' ? 'ru' : 'en',
  limit: Number(limit),
  windowSeconds: Number(windowSeconds),
  timeoutMs: Number(timeoutMs),
});

const page = document.getElementById('page');
if (page) {
  render(<App model={model} version={version} />, page);
  keepFocus(page);
}

addEventListener('beforeunload', (event) => {
  if (model.inventory.items.length > 0) event.preventDefault();
});

setInterval(() => {
  model.runner.tick();
  // Shows how long there is to wait.
  if (model.runner.pause) model.notify();
}, 1000);
