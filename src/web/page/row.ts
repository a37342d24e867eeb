import type { Item } from './item.js';

/** What the table says of an item, without words of a language; null where nothing is known. */
export interface Row {
  file: string;
  folder: string;
  pin: string | null;
  owner: string | null;
  product: string | null;
  users: number | null;
  kind: 'client' | 'server' | null;
  /** The type as the file says it, such as `сервер 64`. */
  type: string | null;
  registrationNumber: string | null;
  computer: string | null;
  /** YYYY-MM-DD */
  validUntil: string | null;
  unlimited: boolean;
}

const rows = new WeakMap<Item, Row>();

/** The row of an item: what was decoded, else what the clear text of the file says. */
export function rowOf(item: Item): Row {
  let row = rows.get(item);
  if (!row) rows.set(item, (row = makeRow(item)));
  return row;
}

function makeRow({ file, folder, clearText, state }: Item): Row {
  const decoded = state.name === 'done' ? state.result : undefined;
  const { owner, product, hardware, registrationNumber } = decoded?.structured ?? {};
  const text = decoded ? decoded.structured.file : clearText;
  const person = [owner?.lastName, owner?.firstName, owner?.middleName].filter(Boolean).join(' ');
  const name = product?.description ?? text?.productName ?? null;
  const bound = hardware?.license.find((parameter) =>
    /^(?:computer name|имя компьютера)$/i.test(parameter.name),
  );
  return {
    file: file.name,
    folder,
    pin: decoded?.pinCode ?? null,
    owner: (owner?.company ?? person) || null,
    product: name,
    users: product?.users ?? text?.users ?? null,
    kind: kindOf(text?.type) ?? kindOf(name),
    type: text?.type ?? null,
    registrationNumber: product?.registrationNumber ?? registrationNumber ?? text?.registrationNumber ?? null,
    computer: bound?.values[0] ?? computerOf(text?.boundTo),
    validUntil: text?.validUntil ?? null,
    unlimited: text?.unlimited ?? false,
  };
}

/** The name of the computer, which comes first in a binding. It may be empty; then all of it. */
function computerOf(boundTo: string | null | undefined): string | null {
  const name = boundTo?.split(',')[0]?.trim() ?? '';
  return name === '' ? (boundTo ?? null) : name;
}

function kindOf(text: string | null | undefined): Row['kind'] {
  if (/сервер|server/i.test(text ?? '')) return 'server';
  return /клиент|client|рабоч(?:их|ее) мест|workplace/i.test(text ?? '') ? 'client' : null;
}

/** Whether an expiry date is over. A license is valid on its last day. */
export const isExpired = ({ validUntil }: Row, today: string) => validUntil !== null && validUntil < today;
