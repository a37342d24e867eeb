import { connect } from 'node:net';
import type { ReceivedResponse } from './contract.js';

export const BOUNDARY = 'test-boundary';

export interface Part {
  /** The Content-Disposition header's parameters as they stand on the wire. */
  disposition: string;
  content: Buffer | string;
}

/** A multipart body, byte by byte as told: what no HTTP library would write. */
export function multipart(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ disposition, content }) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);
}

export const LICENSE_PART: Part = {
  disposition: 'name="license"; filename="a.lic"',
  content: 'bGljZW5zZQ==',
};

/** The head of a decode request, with further header lines. */
export function decodeHead(headers: readonly string[]): string {
  return ['POST /api/decode HTTP/1.1', 'Host: test', ...headers, '', ''].join('\r\n');
}

/** Reads all responses that stand in what a server sent. */
export function parseResponses(data: Buffer): ReceivedResponse[] {
  const responses: ReceivedResponse[] = [];
  for (let rest = data.toString('latin1'); rest.length > 0;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n([^]*?)\r\n\r\n/.exec(rest);
    if (!head) break;
    const headers = Object.fromEntries(
      (head[2] ?? '').split('\r\n').map((line) => {
        const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
        return [name.toLowerCase(), value];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    if (rest.length < head[0].length + length) break;
    const text = Buffer.from(rest.slice(head[0].length, head[0].length + length), 'latin1').toString('utf8');
    responses.push({ status: Number(head[1]), headers, body: text === '' ? undefined : JSON.parse(text) });
    rest = rest.slice(head[0].length + length);
  }
  return responses;
}

/**
 * Sends bytes over a connection of their own and reads until that many responses have come, or the server
 * closes the connection or is silent.
 * @returns the responses, and whether the server closed the connection
 */
export async function sendRaw(
  port: number,
  chunks: readonly (Buffer | string)[],
  { count = 1, silenceMs = 10_000, halfClose = false } = {},
): Promise<{ responses: ReceivedResponse[]; closed: boolean }> {
  const received: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => {
    received.push(data);
    if (parseResponses(Buffer.concat(received)).length >= count) resolve(false);
  });
  const timer = setTimeout(() => {
    resolve(false);
  }, silenceMs);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    resolve(true);
  });
  for (const chunk of chunks) {
    if (socket.destroyed) break;
    if (!socket.write(chunk)) {
      await new Promise((drained) => {
        socket.once('drain', drained);
        socket.once('close', drained);
      });
    }
  }
  if (halfClose) socket.end();
  const closed = await promise;
  clearTimeout(timer);
  socket.destroy();
  return { responses: parseResponses(Buffer.concat(received)), closed };
}
