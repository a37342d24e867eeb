import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { HttpError } from '../errors/http-error.js';
import { plainAddress } from './client-address.js';

/** Faults that are logged per minute; anyone can cause as many as the network carries. */
const LOGGED_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * Answers and logs what never becomes a request of the app, in the shape of all other errors, and closes the
 * connection.
 */
export function refuseConnection(log: Logger) {
  let minuteEnd = 0;
  let count = 0;
  return (error: HttpError, socket: Duplex & { remoteAddress?: string | undefined }): void => {
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

    const now = performance.now();
    if (now >= minuteEnd) {
      minuteEnd = now + MINUTE_MS;
      count = 0;
    }
    count++;
    if (count <= LOGGED_PER_MINUTE) log.warn({ req: { id, address }, code, res: { status } }, 'request');
    if (count === LOGGED_PER_MINUTE) log.warn('no more broken requests are logged in this minute');
  };
}
