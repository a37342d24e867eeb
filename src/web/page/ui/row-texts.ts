import { computed, type ReadonlySignal } from '@preact/signals';
import type { Known } from '../model/facts.js';
import type { License } from '../model/license.js';
import type { RowTexts } from '../model/order.js';
import { pathOf } from '../model/place.js';
import type { Change } from '../model/sheet.js';
import { formatDate, formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';

/** Folders that the text of a change names. */
const MAX_FOLDERS = 2;

const texts = new WeakMap<License, ReadonlySignal<RowTexts>>();

/** What is said of a license in the language of the page; empty where nothing is known. */
export function rowTexts(license: License): RowTexts {
  let signal = texts.get(license);
  if (!signal) texts.set(license, (signal = computed(() => makeTexts(license))));
  return signal.value;
}

function makeTexts(license: License): RowTexts {
  const row = license.known;
  const { validUntil, unlimited, users } = row;
  return {
    validUntil: validUntil ? formatDate(validUntil, language.value) : unlimited ? t('never') : '',
    owner: row.owner ?? '',
    product: row.product ?? '',
    users: users === null ? '' : formatNumber(users, language.value),
    computer: row.computer ?? '',
    pin: row.pin ?? '',
    file: license.places.value.map(pathOf).join('\n'),
    state: license.isGiven ? t(license.state.name) : sheetNote(license),
    type: typeOf(row),
    registrationNumber: row.registrationNumber ?? '',
  };
}

/** What became of a license since another day; empty when nothing did. Without PIN codes where anyone may read it. */
export function changeText(license: License, change: Change | undefined, isPublic = false): string {
  if (change?.name !== 'changed') return change ? t(change.name) : '';
  const { before, differences } = change;
  const told = differences.map((name) => {
    const [then, now] = [before, license].map((one) =>
      name === 'folder' ? foldersOf(one) : rowTexts(one)[name],
    );
    const values = isPublic && name === 'pin' ? '' : `: ${then} → ${now}`;
    return t(name).toLowerCase() + values;
  });
  return told.join('; ');
}

/** The first of its folders. */
function foldersOf({ places }: License): string {
  const folders = [...new Set(places.value.map(({ folder }) => folder))];
  return folders.slice(0, MAX_FOLDERS).join(', ') + (folders.length > MAX_FOLDERS ? '…' : '');
}

/** What is known from a list of another day only; empty where nothing is. */
export function sheetNote(license: License): string {
  const { sheet } = license.known;
  const day = license.day ?? sheet?.day;
  if (day === undefined) return '';
  const values = { day: formatDate(day, language.value) };
  if (!license.isGiven) return t('fromSheet', values);
  return sheet?.facts.pin || sheet?.facts.customer ? t('asOf', values) : '';
}

/** The type in the language of the page: `сервер 64` is "server 64" in English. */
function typeOf({ type, kind }: Known): string {
  const rest = /^(?:клиент|сервер|client|server)(?=$|\s)(.*)$/is.exec(type ?? '')?.[1];
  return type !== null && rest === undefined ? type : kind ? `${t(kind)}${rest ?? ''}` : '';
}

/** The name of the platform before the name of a product, with its edition where one is stated. */
const PLATFORM = /^1[СC]:\s*(?:Предприятие|Enterprise)\s*8(?:\.\d)?(?:\s+([^\s.][^.]*))?\.\s+(?=\S)/;

/** A product without the name of the platform, which all products share. */
export const shortProduct = (product: string) =>
  product.replace(PLATFORM, (_, edition: string | undefined) => (edition ? `${edition}. ` : ''));
