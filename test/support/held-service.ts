import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { TOKEN_PROBLEMS } from '../../src/errors/token-problems.js';
import { decoded } from '../unit/web/model/licenses.js';
import { LIMIT } from './page-service.js';

/** Makes a file look like a license, for tests that need no more of one. */
export const PERMIT = `${'QUJD'.repeat(16)}\n`;

/** What a decode is answered. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}
/** @param text of the uploaded file */
export type Respond = (text: string, request: IncomingMessage) => Answer | Promise<Answer>;

export const DAMAGED_ANSWER: Answer = {
  status: 422,
  body: { error: 'license_undecodable', message: 'ring could not decode the file.' },
};

interface Permit {
  pin: string;
  previousPin: string;
  customer: Record<string, string>;
  product: { description: string; registrationNumber: string };
}

/** What the service says of a license of scripts/bench/fleet.mjs. Other files are damaged. */
export function answerAbout(text: string): Answer {
  const [base64 = ''] = /^(?:[A-Za-z0-9+/]+=*\n)*/.exec(text) ?? [];
  let permit: Permit;
  try {
    permit = JSON.parse(Buffer.from(base64, 'base64').toString()) as Permit;
  } catch {
    return DAMAGED_ANSWER;
  }
  const { pin, previousPin, customer, product } = permit;
  const body = decoded({
    pin,
    ...(previousPin && { previousPin }),
    owner: [`Компания: ${customer['company'] ?? ''}`, `Фамилия: ${customer['lastName'] ?? ''}`],
    ...product,
    clearText: text.slice(base64.length).split('\n'),
  });
  return { body };
}

export interface HeldOptions {
  status?: object;
  accepts?: (token: string) => boolean;
  pages?: string;
}

/** What the service says of a token that it does not accept. */
export const REJECTED = {
  'WWW-Authenticate': `Bearer error="invalid_token", error_description="${TOKEN_PROBLEMS.expired.en}"`,
};

/** What the service says of the limit of a page that has had nothing read. */
const LIMIT_HEADERS = {
  'X-RateLimit-Limit': String(LIMIT),
  'X-RateLimit-Remaining': String(LIMIT),
  'X-RateLimit-Reset': '3600',
};

/**
 * A service whose answers the test holds, until the test has ended.
 * @param options `status` is its answer to a request for that, `accepts` whether it accepts a token; `pages` the address
 *   of a service that answers everything but decodes
 */
export async function holdService(
  respond: Respond,
  { status: body = { ready: true }, accepts, pages }: HeldOptions = {},
) {
  const service = { respond, decodes: [] as string[] };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const form = await buffer(request);
    if (request.url === '/api/decode') {
      const text = /filename=.*?\r\n\r\n(.*?)\r\n--/s.exec(form.toString())?.[1]?.replace(PERMIT, '') ?? '';
      service.decodes.push(text);
      const { status = 200, headers = {}, body } = await service.respond(text, request);
      const notCounted = pages === undefined ? {} : LIMIT_HEADERS;
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...notCounted, ...headers })
        .end(JSON.stringify(body));
    } else if (pages === undefined) {
      const { authorization: token } = request.headers;
      const headers = token === undefined || accepts?.(token) ? {} : REJECTED;
      response.writeHead(200, headers).end(JSON.stringify(body));
    } else {
      const { accept = '', 'accept-language': language = '', authorization } = request.headers;
      const page = await fetch(new URL(request.url ?? '', pages), {
        headers: { accept, 'accept-language': language, ...(authorization && { authorization }) },
      });
      // What fetch has unpacked.
      const headers = [...page.headers].filter(
        ([name]) => !/^(?:content-(?:encoding|length)|connection|keep-alive)$/.test(name),
      );
      response.writeHead(page.status, Object.fromEntries(headers)).end(Buffer.from(await page.arrayBuffer()));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
