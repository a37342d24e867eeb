import type { Decoded } from './connection.js';
import { announce, button, h } from './elements.js';
import { formatDate, isExpired } from './format.js';
import { copyText, download } from './hand-over.js';
import { hardwareTable } from './hardware-view.js';
import { language, t } from './language.js';
import { rowOf } from './row.js';
import type { TextKey } from './texts.js';
import type { Item, UploadQueue } from './upload-queue.js';

/** A file with its state, and what its license says. */
export function itemCard(item: Item, queue: UploadQueue): HTMLElement {
  const { id, file, state } = item;
  const title = h('h3', { id: `item-${id}`, tabindex: '-1' }, h('bdi', {}, file.name));
  const header = h('header', {}, title, h('span', { class: `state ${state.name}` }, t(state.name)));
  const card = h('article', { 'aria-labelledby': title.id }, header);
  const act = (key: TextKey, onClick: () => void) =>
    header.append(button(t(key), onClick, { 'aria-label': `${t(key)}: ${file.name}` }));
  const isPending = state.name === 'waiting' || state.name === 'decoding';
  const canRetry = state.name === 'canceled' || (state.name === 'failed' && state.canRetry);
  if (isPending) act('cancel', () => queue.cancel(item));
  if (canRetry) act('retry', () => queue.retry(item));
  if (state.name === 'failed') {
    const { text, lang = language(), requestId } = state;
    const reference = requestId ? [h('code', {}, `X-Request-Id: ${requestId}`)] : [];
    card.append(h('p', { class: 'problem', lang }, text(), ...reference));
  }
  if (state.name === 'done') {
    act('downloadJson', () =>
      download(`${file.name.slice(0, -4)}.json`, 'application/json', JSON.stringify(state.result, null, 2)),
    );
    card.append(...licenseParts(item, state.result));
  }
  return card;
}

function licenseParts(item: Item, result: Decoded): HTMLElement[] {
  const { owner, product, users, registrationNumber, expiry } = rowOf(item, language());
  const { hardware, valid, file, product: info, owner: ownerData } = result.structured;
  const details = {
    generatedAt: formatDate(info.generatedAt ?? file?.producedAt ?? '', language()),
    type: file?.type,
    productCode: info.productCode ?? file?.productCode,
    boundTo: file?.boundTo,
  };
  const parts = [
    pinLine(result.pinCode),
    fields({ owner, product, users, registrationNumber, expiry: expiryOf(expiry), ...details }),
    h('p', { class: valid ? 'verdict match' : 'verdict' }, t(valid ? 'match' : 'mismatch')),
    ...section('ownerData', 'ownerHint', fields(ownerData)),
  ];
  if (hardware && hardware.license.length + hardware.current.length > 0) {
    parts.push(...section('hardware', 'hardwareHint', hardwareTable(hardware)));
  }
  return [...parts, rawTexts(result)];
}

const section = (title: TextKey, hint: TextKey, content: HTMLElement) => [
  h('h4', {}, t(title)),
  h('p', { class: 'hint' }, t(hint)),
  content,
];

/** An expiry date, marked when it is over. */
export function expiryOf(expiry: string): HTMLElement {
  const mark = isExpired(expiry) ? [' ', h('span', { class: 'mark' }, t('expired'))] : [];
  return h('span', {}, formatDate(expiry, language()), ...mark);
}

function pinLine(pin: string): HTMLElement {
  const digits = h('span', { class: 'digits' }, pin);
  const copy = button(t('copy'), () => {
    if (!copyText(digits)) return;
    copy.textContent = t('copied');
    announce(t('copied'));
  });
  return h('p', { class: 'pin' }, h('span', { class: 'label' }, t('pin')), digits, copy);
}

/** Labels with their values; what the license does not say is left out. */
function fields(values: Partial<Record<TextKey, string | Node | null | undefined>>): HTMLElement {
  const pairs = Object.entries(values).flatMap(([key, value]) =>
    value ? [h('div', {}, h('dt', {}, t(key as TextKey)), h('dd', {}, value))] : [],
  );
  return h('dl', {}, ...pairs);
}

function rawTexts({ licData, validateData, licHWConfig, currentHWConfig, structured }: Decoded): HTMLElement {
  const other = structured.other
    .map(({ name, value }) => [name, value].filter(Boolean).join(': '))
    .join('\n');
  const texts = { licData, validateData, license: licHWConfig, current: currentHWConfig, other };
  const parts = Object.entries(texts).flatMap(([key, text]) =>
    text ? [h('h4', {}, t(key as TextKey)), h('pre', {}, text)] : [],
  );
  return h('details', {}, h('summary', {}, t('raw')), ...parts);
}
