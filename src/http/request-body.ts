import type { IncomingMessage, ServerResponse } from 'node:http';

/** Average bytes below which the chunks of a body count as tiny; each chunk costs the parser as much as a large one. */
const TINY_CHUNK_BYTES = 64;
/** Chunks from which on the average counts. */
const FREE_CHUNKS = 5_000;
/** Milliseconds a client gets to read its answer before the rest of its body is read: 5 MB cost 10 ms of CPU. */
const READ_DELAY_MS = 300;
/** Bytes of an unwanted body that are read after the answer before the connection is closed. */
const MAX_DISCARDED_BYTES = 20_000_000;
/** Milliseconds without a byte after which an unwanted body no longer comes; nginx's lingering_timeout is the same. */
const LINGER_MS = 5_000;

/**
 * Tells a client that waits for it to send its body. Others send it anyway, and in HTTP/1.0 the expectation must be
 * ignored (RFC 9110, section 10.1.1).
 */
export function askForBody(req: IncomingMessage, res: ServerResponse): void {
  if (req.httpVersion !== '1.0' && req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
}

/**
 * Bounds what the body of a request costs, whatever route or error answers. Closes the connection when the body comes
 * in absurdly many small chunks. Where the answer goes out before the whole body was read, the connection ends with it:
 * Node.js would either read the rest without a bound or close with data unread, and the reset that follows destroys
 * the answer for every client that reads only after it has sent all.
 */
export function boundBody(req: IncomingMessage, res: ServerResponse): void {
  let chunks = 0;
  let bytes = 0;
  let maxBytes = Infinity;
  const push = req.push.bind(req);
  // Express replaces the prototypes of both, so only own properties last.
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    chunks++;
    bytes += chunk?.length ?? 0;
    const isTiny = chunks > FREE_CHUNKS && bytes < chunks * TINY_CHUNK_BYTES;
    if (!isTiny && bytes <= maxBytes) return push(chunk, encoding);
    req.socket.destroy();
    return false;
  };
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  res.writeHead = (...args: unknown[]) => {
    if (hasBody(req) && !req.complete) {
      res.setHeader('Connection', 'close');
      maxBytes = bytes + MAX_DISCARDED_BYTES;
      linger(req);
    }
    return writeHead(...args);
  };
}

const hasBody = ({ headers }: IncomingMessage) =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;

/** Lets the connection end after the answer as soon as the body ends or stays away. */
function linger(req: IncomingMessage): void {
  const { socket } = req;
  // Without a read Node.js discards the body at once.
  req.read(0);
  const destroySoon = socket.destroySoon.bind(socket);
  // Node.js calls this after the last answer.
  socket.destroySoon = () => {
    if (req.complete || req.destroyed) {
      destroySoon();
      return;
    }
    // Sends FIN after the answer, and reads on.
    socket.end();
    socket.setTimeout(LINGER_MS);
    req.once('close', destroySoon);
    setTimeout(() => req.resume(), READ_DELAY_MS).unref();
  };
}
