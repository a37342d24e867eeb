import { computed, type ReadonlySignal } from '@preact/signals';
import { boundComputer } from '../../../license/computer.js';
import { licenseKind } from '../../../license/kind.js';
import { stateOf, type Item } from './item.js';

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
  const license = state.name === 'done' ? state.result.structured : undefined;
  const { owner, product } = license ?? {};
  const text = license ? license.file : item.content.clearText;
  const person = [owner?.lastName, owner?.firstName, owner?.middleName].filter(Boolean).join(' ');
  const { type = null, productCode = null, productName = null, boundTo = null } = text ?? {};
  const computer = license ? (license.computer ?? boundTo) : (boundComputer(boundTo) ?? boundTo);
  return {
    pin: state.name === 'done' ? state.result.pinCode : null,
    previousPin: license?.previousPin ?? null,
    owner: (owner?.company ?? person) || null,
    product: product?.description ?? productName,
    users: product?.users ?? text?.users ?? null,
    kind: license ? license.product.kind : licenseKind({ type, productCode, description: productName }),
    type,
    registrationNumber:
      product?.registrationNumber ?? license?.registrationNumber ?? text?.registrationNumber ?? null,
    // A binding may lack the name; then all of it is shown.
    computer,
    validUntil: text?.validUntil ?? null,
    unlimited: text?.unlimited ?? false,
  };
}

/** Whether an expiry date is over. A license is valid on its last day. */
export const isExpired = ({ validUntil }: Row, today: string) => validUntil !== null && validUntil < today;
