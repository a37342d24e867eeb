import type { StructuredLicense } from './schema.js';
import { USERS_OF_PRODUCT } from './users.js';

/** What a license says about itself; null or undefined where it does not. */
interface Texts {
  /** The license type in the clear text, such as `сервер 64`. */
  type: string | null | undefined;
  /** The description or the product name. */
  description: string | null | undefined;
  productCode: string | null | undefined;
}

type Kind = StructuredLicense['product']['kind'];

/** Whether a license is for clients or for a server; null when none of its texts tells. No server's code is known. */
export function licenseKind({ type, description, productCode }: Texts): Kind {
  return kindIn(type) ?? kindIn(description) ?? (USERS_OF_PRODUCT.has(productCode ?? '') ? 'client' : null);
}

function kindIn(text: string | null | undefined): Kind {
  if (/сервер|server/i.test(text ?? '')) return 'server';
  return /клиент|client|рабоч(?:ее|их|ие) мест|workplace/i.test(text ?? '') ? 'client' : null;
}
