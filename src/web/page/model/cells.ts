import { computed, type ReadonlySignal } from '@preact/signals';
import { pathOf, stateOf, type Item } from './item.js';
import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { rowOf, type Row } from './row.js';

/** The columns of the table, in its order. */
export const COLUMNS = [
  'validUntil',
  'owner',
  'product',
  'users',
  'computer',
  'pin',
  'file',
  'state',
] as const;
export type Column = (typeof COLUMNS)[number];

/** The heads of the columns. */
export const HEADS: Record<Column, TextKey> = {
  ...(Object.fromEntries(COLUMNS.map((column) => [column, column])) as Record<Column, Column>),
  users: 'seats',
};

export type CellTexts = Record<Column | 'type' | 'registrationNumber', string>;

const texts = new WeakMap<Item, ReadonlySignal<CellTexts>>();

/** What is said of an item in the language of the page; empty where nothing is known. */
export function cellTexts(item: Item): CellTexts {
  let signal = texts.get(item);
  if (!signal) texts.set(item, (signal = computed(() => makeTexts(item))));
  return signal.value;
}

function makeTexts(item: Item): CellTexts {
  const row = rowOf(item);
  const { validUntil, unlimited, users } = row;
  return {
    validUntil: validUntil ? formatDate(validUntil, language.value) : unlimited ? t('never') : '',
    owner: row.owner ?? '',
    product: row.product ?? '',
    users: users === null ? '' : users.toLocaleString(language.value),
    computer: row.computer ?? '',
    pin: row.pin ?? '',
    file: pathOf(item),
    state: t(stateOf(item).name),
    type: typeOf(row),
    registrationNumber: row.registrationNumber ?? '',
  };
}

/** The type in the language of the page: `сервер 64` is "server 64" in English. */
function typeOf({ type, kind }: Row): string {
  const rest = /^(?:клиент|сервер|client|server)(?=$|\s)(.*)$/is.exec(type ?? '')?.[1];
  return type !== null && rest === undefined ? type : kind ? `${t(kind)}${rest ?? ''}` : '';
}

/** The name of the platform before the name of a product, with its edition where one is stated. */
const PLATFORM = /^1[СC]:\s*(?:Предприятие|Enterprise)\s*8(?:\.\d)?(?:\s+([^\s.][^.]*))?\.\s+(?=\S)/;

/** A product without the name of the platform, which all products share. */
export const shortProduct = (product: string) =>
  product.replace(PLATFORM, (_, edition: string | undefined) => (edition ? `${edition}. ` : ''));

const searched = new WeakMap<CellTexts, string>();

/** Whether each word is in one of the texts. A PIN code is found with and without hyphens. */
export function matches(words: readonly string[], item: Item): boolean {
  const texts = cellTexts(item);
  let all = searched.get(texts);
  if (all === undefined) {
    const { pin, type } = rowOf(item);
    all = normalize([...Object.values(texts), type, pin?.replaceAll('-', '')].join('\n'));
    searched.set(texts, all);
  }
  const text = all;
  return words.every(
    (word) => text.includes(word) || (/^[\d-]*\d$/.test(word) && text.includes(word.replaceAll('-', ''))),
  );
}

const normalize = (text: string) => text.toLowerCase().replaceAll('ё', 'е');

export const wordsOf = (search: string) => normalize(search).split(/\s+/).filter(Boolean);
