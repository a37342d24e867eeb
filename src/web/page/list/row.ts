import { computed, type ReadonlySignal } from '@preact/signals';
import type { StructuredLicense } from '../../../license/schema.js';
import { stateOf, type Item } from '../model/item.js';

/** What the table says of an item, without words of a language; null where nothing is known. */
export interface Row {
  pin: string | null;
  previousPin: string | null;
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

const rows = new WeakMap<Item, ReadonlySignal<Row>>();

/** The row of an item: what was decoded, else what the clear text of the file says. */
export function rowOf(item: Item): Row {
  let row = rows.get(item);
  if (!row) rows.set(item, (row = computed(() => makeRow(item))));
  return row.value;
}

function makeRow(item: Item): Row {
  const state = stateOf(item);
  const decoded = state.name === 'done' ? state.result : undefined;
  const { owner, product, hardware, previousPin = null } = decoded?.structured ?? {};
  const text = decoded ? decoded.structured.file : item.content.clearText;
  const person = [owner?.lastName, owner?.firstName, owner?.middleName].filter(Boolean).join(' ');
  const name = product?.description ?? text?.productName ?? null;
  return {
    pin: decoded?.pinCode ?? null,
    previousPin,
    owner: (owner?.company ?? person) || null,
    product: name,
    users: product?.users ?? text?.users ?? null,
    kind: kindOf(text?.type) ?? kindOf(name),
    type: text?.type ?? null,
    registrationNumber:
      product?.registrationNumber ??
      decoded?.structured.registrationNumber ??
      text?.registrationNumber ??
      null,
    computer: computerOf(hardware, text?.boundTo),
    validUntil: text?.validUntil ?? null,
    unlimited: text?.unlimited ?? false,
  };
}

/** The name of the computer, which comes first in a binding. It may be empty; then all of the binding. */
function computerOf(hardware: StructuredLicense['hardware'] | undefined, boundTo: string | null = null) {
  const named = hardware?.license.find(({ name }) => /^(?:computer name|имя компьютера)$/i.test(name));
  const first = boundTo?.split(',')[0]?.trim();
  return named?.values[0] ?? (first === '' ? boundTo : (first ?? null));
}

function kindOf(text: string | null | undefined): Row['kind'] {
  if (/сервер|server/i.test(text ?? '')) return 'server';
  return /клиент|client|рабоч(?:их|ее) мест|workplace/i.test(text ?? '') ? 'client' : null;
}

/** Whether an expiry date is over. A license is valid on its last day. */
export const isExpired = ({ validUntil }: Row, today: string) => validUntil !== null && validUntil < today;
