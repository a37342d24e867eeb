import type { StructuredLicense } from './schema.js';
import { USERS_OF_PRODUCT } from './users.js';

type Kind = StructuredLicense['product']['kind'];

type Text = string | null | undefined;

/**
 * Whether a license is for clients or for a server; null when none of its texts tells. No server's code is known.
 * @param type the license type in the clear text, such as `сервер 64`
 * @param description or the product name
 */
export function licenseKind(texts: { type: Text; description: Text; productCode: Text }): Kind {
  const { type, description, productCode } = texts;
  return kindIn(type) ?? kindIn(description) ?? (USERS_OF_PRODUCT.has(productCode ?? '') ? 'client' : null);
}

/** `клиент-серверный` is how the platform works, and no kind of license. */
const CLIENT_SERVER = /(?:клиент|client)\s?[\p{Pd}/]\s?(?:сервер|server)/giu;

function kindIn(text: Text): Kind {
  const rest = text?.replace(CLIENT_SERVER, '') ?? '';
  if (/сервер|server/i.test(rest)) return 'server';
  return /клиент|client|рабоч(?:ее|их|ие) мест|workplace/i.test(rest) ? 'client' : null;
}
