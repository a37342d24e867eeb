import type { StructuredLicense } from './schema.js';
import { USERS_OF_PRODUCT } from './users.js';

type Kind = StructuredLicense['product']['kind'];

type Text = string | null | undefined;

/** `клиент-серверный` is how the platform works, and no kind of license. */
const CLIENT_SERVER = /(?:клиент|client)\s?[\p{Pd}/]\s?(?:сервер|server)/giu;
const SERVER = /сервер|server/i;
const CLIENT = /клиент|client|рабоч(?:ее|их|ие) мест|workplace/i;

/**
 * Whether a license is for clients or for a server; null when none of its texts tells. Only product codes of client
 * licenses are known.
 * @param type the license type in the clear text, such as `сервер 64`
 * @param description or the product name
 */
export function licenseKind(texts: { type: Text; description: Text; productCode: Text }): Kind {
  const named = kindIn(texts.type) ?? kindIn(texts.description);
  if (named !== null) return named;
  return USERS_OF_PRODUCT.has(texts.productCode ?? '') ? 'client' : null;
}

function kindIn(text: Text): Kind {
  const words = (text ?? '').replace(CLIENT_SERVER, '');
  if (SERVER.test(words)) return 'server';
  return CLIENT.test(words) ? 'client' : null;
}
