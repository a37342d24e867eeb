import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError } from '../errors/http-error.js';
import type { Logger } from 'pino';
import { plainAddress } from './client-address.js';

/** Faults that are logged per minute; anyone can cause as many as the network carries. */
const LOGGED_PER_MINUTE = 60;

interface ParserFaultsOptions {
  requestMs: number;
  maxHeaderBytes: number;
  log: Logger;
}

/** Answers and logs what Node.js rejected before it became a request, in the shape of all other errors. */
export function parserFaults(options: ParserFaultsOptions) {
  let minute = 0;
  let count = 0;
  return (fault: NodeJS.ErrnoException, socket: Duplex & { remoteAddress?: string }): void => {
    const error = fromParserFault(fault, options);
    const { status, code } = error;
    const id = randomUUID();
    const json = JSON.stringify(error.body('en'));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `X-Request-Id: ${id}`,
      'Connection: close',
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      'Content-Language: en',
      `Content-Length: ${Buffer.byteLength(json)}`,
    ];
    const address = plainAddress(socket.remoteAddress ?? '');
    socket.end(`${head.join('\r\n')}\r\n\r\n${json}`, () => socket.destroy());

    const now = Math.floor(Date.now() / 60_000);
    count = now === minute ? count + 1 : 1;
    minute = now;
    if (count <= LOGGED_PER_MINUTE)
      options.log.warn({ req: { id, address }, code, res: { status } }, 'request');
    if (count === LOGGED_PER_MINUTE) options.log.warn('no more parser faults are logged in this minute');
  };
}

function fromParserFault({ code }: NodeJS.ErrnoException, options: ParserFaultsOptions): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', { values: { bytes: options.maxHeaderBytes } });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout', { values: { seconds: options.requestMs / 1000 } });
    default:
      return new HttpError('bad_request');
  }
}
