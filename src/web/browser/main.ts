import type { Status } from '../../status/readiness.js';
import { Connection } from './connection.js';
import { toCsv } from './csv.js';
import { takeDrops } from './drop.js';
import { announce, byId } from './elements.js';
import { download } from './hand-over.js';
import { language, switchLanguage, t } from './language.js';
import { LimitView } from './limit-view.js';
import { itemCard } from './result-view.js';
import { showSummary } from './summary-view.js';
import { UploadQueue, type Item } from './upload-queue.js';

const connection = new Connection();
const queue = new UploadQueue(connection.decode, onChange);
const limit = new LimitView(connection, queue);
const cards = new Map<Item, HTMLElement>();

function onChange(item: Item): void {
  showCard(item);
  showAll();
  const { name } = item.state;
  if (name === 'done' || name === 'failed') announce(`${item.file.name}: ${t(name)}`);
}

function showCard(item: Item): void {
  const card = itemCard(item, queue);
  const old = cards.get(item);
  const hadFocus = old?.contains(document.activeElement);
  if (old) old.replaceWith(card);
  else byId('cards').append(card);
  if (hadFocus) byId(`item-${item.id}`).focus();
  cards.set(item, card);
}

/** Shows what all items make up together. */
function showAll(): void {
  const { items } = queue;
  const total = items.length;
  const done = items.filter(({ state }) => state.name === 'done').length;
  byId('results').hidden = total === 0;
  byId('progress').textContent = t('progress', { done, total });
  byId('cancel-all').hidden = queue.pending().length < 2;
  byId('csv').hidden = total < 2;
  showSummary(items);
  limit.update();
}

/** The demo's stand-in for ring says in its version what it is. */
async function showStandIn(): Promise<void> {
  const response = await fetch('/api/status');
  const { ring } = (await response.json()) as Status;
  byId('stand-in').hidden = !ring.version.endsWith('stand-in');
}
void showStandIn().catch(() => undefined);

const input = byId('files') as HTMLInputElement;
input.addEventListener('change', () => {
  queue.add(input.files ?? []);
  // So that the same file can be chosen again.
  input.value = '';
});
takeDrops((files) => queue.add(files));
byId('cancel-all').addEventListener('click', () => queue.pending().forEach((item) => queue.cancel(item)));
byId('csv').addEventListener('click', () =>
  download('licenses.csv', 'text/csv;charset=utf-8', toCsv(queue.items, language())),
);
byId('language').addEventListener('click', (event) => {
  event.preventDefault();
  switchLanguage(byId('language') as HTMLAnchorElement);
  queue.items.forEach(showCard);
  showAll();
});
