import type { Language } from '../../errors/catalog.js';
import { textIn } from './texts.js';
import type { Item } from './upload-queue.js';

/** What people look for first, as texts; empty where nothing is known. Dates are ISO 8601. */
export function rowOf({ file: { name }, state }: Item, language: Language) {
  const result = state.name === 'done' ? state.result : undefined;
  const { owner, product, file, valid, registrationNumber } = result?.structured ?? {};
  const person = [owner?.lastName, owner?.firstName, owner?.middleName].filter(Boolean).join(' ');
  const expiry = file?.unlimited ? 'never' : 'notStated';
  return {
    file: name,
    pin: result?.pinCode ?? '',
    owner: owner?.company ?? person,
    product: product?.description ?? file?.productName ?? '',
    users: String(product?.users ?? file?.users ?? ''),
    registrationNumber: product?.registrationNumber ?? registrationNumber ?? '',
    expiry: result ? (file?.validUntil ?? textIn(language, expiry)) : '',
    matches: result ? textIn(language, valid ? 'yes' : 'no') : '',
    state: textIn(language, state.name),
    error: state.name === 'failed' ? state.text() : '',
  };
}
