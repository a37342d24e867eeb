import { connect, type Socket } from 'node:net';
import type { ReceivedResponse } from './contract.js';
import { atTheEnd } from './temp.js';

export const BOUNDARY = 'test-boundary';
/** The header line of a form with {@link BOUNDARY}. */
export const FORM = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  /** The parameters of Content-Disposition, byte for byte when it is a buffer. */
  disposition: Buffer | string;
  content: Buffer | string;
}

/** A multipart body exactly as told: what no HTTP library would write. */
export function multipart(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ disposition, content }) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; `),
      Buffer.from(disposition),
      Buffer.from('\r\n\r\n'),
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

export const GET_HEALTH = 'GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n';

/** The head of a decode request, with further header lines. */
export function decodeHead(headers: readonly string[]): string {
  return ['POST /api/decode HTTP/1.1', 'Host: test', ...headers, '', ''].join('\r\n');
}

/** A whole decode request with the given body. */
export function decodeRequest(body = multipart([LICENSE_PART]), contentType = FORM): Buffer {
  const head = decodeHead([contentType, `Content-Length: ${body.length}`]);
  return Buffer.concat([Buffer.from(head), body]);
}

/** The beginning of a decode request whose file does not end. */
export const unfinishedUpload = (...headers: string[]) =>
  decodeHead([FORM, 'Content-Length: 5000', ...headers]) + multipart([LICENSE_PART], '').toString();

/** Frames data as one chunk of Transfer-Encoding: chunked. */
export const chunked = (data: Buffer) =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);

/** Reads from a connection. @returns what gives all whole responses so far */
export function responsesOn(socket: Socket): () => ReceivedResponse[] {
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  return () => parseResponses(Buffer.concat(received));
}

function parseResponses(data: Buffer): ReceivedResponse[] {
  const responses: ReceivedResponse[] = [];
  for (let rest = data.toString('latin1'); rest.length > 0;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/.exec(rest);
    if (!head) break;
    const headers: Record<string, string> = Object.fromEntries(
      (head[2] ?? '').split('\r\n').map((line) => {
        const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
        return [name.toLowerCase(), value];
      }),
    );
    const end = head[0].length + Number(headers['content-length'] ?? 0);
    if (rest.length < end) break;
    const text = Buffer.from(rest.slice(head[0].length, end), 'latin1').toString('utf8');
    const isJson = headers['content-type']?.startsWith('application/json') ?? false;
    responses.push({ status: Number(head[1]), headers, body: isJson ? JSON.parse(text) : text });
    rest = rest.slice(end);
  }
  return responses;
}

/**
 * Opens a connection, until the test has ended, and sends bytes over it; its errors are no error of the test. It stays
 * open for sending when the server has sent its last byte, as that of most clients does.
 */
export function openConnection(port: number, ...chunks: (string | Buffer)[]): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  atTheEnd(() => socket.destroy());
  socket.on('error', () => undefined);
  for (const chunk of chunks) socket.write(chunk);
  return socket;
}

/** Resolves when the server has closed its side of the connection, or all of it. */
export const closing = (socket: Socket) =>
  new Promise((closed) => socket.once('end', closed).once('close', closed));

interface SendOptions {
  /** Responses to wait for. */
  count?: number;
  /** Ends the sending side once all has been sent. */
  halfClose?: boolean;
  /** Reads only once all has been sent, as simple clients do. */
  readLate?: boolean;
}

/** Milliseconds between bytes that a client sends after the server's FIN. Only a closed connection resets them. */
const PROBE_MS = 100;

/**
 * Sends bytes over a connection of their own and reads until that many responses have come or the server closes
 * the connection for reading too.
 * @returns the responses, and whether the server closed the connection
 */
export async function sendRaw(
  port: number,
  chunks: readonly (Buffer | string)[],
  { count = 1, halfClose = false, readLate = false }: SendOptions = {},
): Promise<{ responses: ReceivedResponse[]; closed: boolean }> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = openConnection(port);
  const read = () => {
    const responses = responsesOn(socket);
    socket.on('data', () => responses().length >= count && resolve(false));
    return responses;
  };
  let responses = readLate ? undefined : read();
  let probe: NodeJS.Timeout | undefined;
  socket.once('end', () => {
    probe = setInterval(() => socket.write('\r\n'), PROBE_MS);
  });
  socket.on('close', () => resolve(true));
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
  responses ??= read();
  const closed = await promise;
  clearInterval(probe);
  socket.destroy();
  return { responses: responses(), closed };
}

/**
 * Makes a service that logs at debug write 600 long lines, three times what a pipe holds. Its connections are closed, so
 * they delay no stop.
 * @returns the statuses of the answers
 */
export async function fillLog(port: number): Promise<(number | undefined)[]> {
  const headers = `X-Request-Id: ${'x'.repeat(128)}\r\nConnection: close`;
  const request = GET_HEALTH.replace('\r\n\r\n', `\r\n${headers}\r\n\r\n`);
  const statuses: (number | undefined)[] = [];
  for (let batch = 0; batch < 6; batch++) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendRaw(port, [request])));
    statuses.push(...answers.map(({ responses }) => responses[0]?.status));
  }
  return statuses;
}
