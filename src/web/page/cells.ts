import type { Language } from '../../errors/catalog.js';
import { formatDate } from './format.js';
import type { Item } from './item.js';
import { rowOf } from './row.js';
import type { CellTexts, Column } from './selection.js';
import { textsIn } from './texts.js';

const caches = {
  en: new WeakMap<Item, Record<Column, string>>(),
  ru: new WeakMap<Item, Record<Column, string>>(),
};

/** The texts of an item's cells in a language; empty where nothing is known. */
export const cellTextsIn =
  (language: Language): CellTexts =>
  (item) => {
    let texts = caches[language].get(item);
    if (!texts) caches[language].set(item, (texts = makeTexts(item, language)));
    return texts;
  };

function makeTexts(item: Item, language: Language): Record<Column, string> {
  const t = textsIn(language);
  const {
    file,
    folder,
    pin,
    owner,
    product,
    users,
    kind,
    type,
    registrationNumber,
    computer,
    validUntil,
    unlimited,
  } = rowOf(item);
  return {
    file: folder === '' ? file : `${folder}/${file}`,
    pin: pin ?? '',
    owner: owner ?? '',
    product: product ?? '',
    users: users === null ? '' : String(users),
    type: type ?? (kind ? t(kind) : ''),
    registrationNumber: registrationNumber ?? '',
    computer: computer ?? '',
    validUntil: validUntil ? formatDate(validUntil, language) : unlimited ? t('never') : '',
    state: t(item.state.name),
  };
}
