import type { StructuredLicense } from './schema.js';
import { PLACES_OF_PRODUCT } from './users.js';

type Kind = StructuredLicense['product']['kind'];

type Text = string | null | undefined;

const SERVER = /сервер|server/i;
const CLIENT = /клиент|client|рабоч(?:ее|их|ие) мест|workplace/i;

/**
 * Whether a license is for clients or for a server; null when none of its texts says. Only product codes of client
 * licenses are known.
 * @param texts the license type, such as `сервер 64`, and then the description or the product name; the first that says
 *   so counts
 */
export function licenseKind(texts: Text[], productCode: Text): Kind {
  const named = texts.map(kindIn).find((kind) => kind !== null);
  if (named) return named;

  const isClientProduct = PLACES_OF_PRODUCT.has(productCode ?? '');
  return isClientProduct ? 'client' : null;
}

/**
 * Whether a type or a name speaks of clients or of a server. One that speaks of both does not tell: a kit
 * `на 50 рабочих мест + клиент-сервер` has a client and a server license, and either may have this name.
 */
export function kindIn(text: Text): Kind {
  const isOfServer = SERVER.test(text ?? '');
  const isOfClients = CLIENT.test(text ?? '');
  if (isOfServer === isOfClients) return null;
  return isOfServer ? 'server' : 'client';
}
