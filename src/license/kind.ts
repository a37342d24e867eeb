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
  const { type, description, productCode } = texts;
  const named = kindIn(type) ?? kindIn(description);
  if (named !== null) return named;

  const isClientProduct = USERS_OF_PRODUCT.has(productCode ?? '');
  return isClientProduct ? 'client' : null;
}

function kindIn(text: Text): Kind {
  if (!text) return null;

  const words = text.replace(CLIENT_SERVER, '');
  if (SERVER.test(words)) return 'server';
  if (CLIENT.test(words)) return 'client';
  return null;
}
