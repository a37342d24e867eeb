import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Unanswered requests on one connection. Node.js reads pipelined requests without a bound, each of which takes memory. */
const MAX_UNANSWERED = 32;
/** Average bytes below which the chunks of a body count as tiny; each chunk costs the parser as much as a large one. */
const TINY_CHUNK_BYTES = 64;
/** Chunks from which on the average counts. */
const FREE_CHUNKS = 5_000;

/** The unanswered responses of each open connection, in the order of their requests. */
export type Unanswered = Map<Duplex, Set<ServerResponse>>;

/**
 * Wraps a request listener: closes the connection of a client with more than {@link MAX_UNANSWERED} open requests.
 * @param connections is kept up to date
 */
export function limitPipelining(
  serve: RequestListener,
  connections: Unanswered = new Map(),
): RequestListener {
  return (req, res) => {
    const { socket } = req;
    const unanswered = connections.get(socket) ?? new Set();
    // One segment can hold thousands of requests, which arrive even after the connection is closed.
    if (unanswered.size >= MAX_UNANSWERED || socket.destroyed) {
      socket.destroy();
      return;
    }
    if (!connections.has(socket)) {
      connections.set(socket, unanswered);
      socket.once('close', () => {
        connections.delete(socket);
        unanswered.forEach(finish);
      });
    }
    unanswered.add(res);
    res.once('close', () => unanswered.delete(res));
    serve(req, res);
  };
}

/**
 * Ends a response that still waited for its turn when its connection closed. Without this express.static keeps its
 * file open: the on-finished package waits for `finished` or the event `end`.
 */
function finish(res: ServerResponse): void {
  if (res.socket !== null) return;
  // After the listeners of log and metrics, which must see an answer that was not sent.
  res.once('close', () => {
    Object.assign(res, { finished: true });
    res.emit('end');
  });
}

/** Closes the connection when the body arrives in absurdly many small chunks, whoever reads it. */
export function limitTinyChunks(req: IncomingMessage): void {
  let chunks = 0;
  let bytes = 0;
  const push = req.push.bind(req);
  // Express replaces the prototype of the request, so only an own property lasts.
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    chunks++;
    bytes += chunk?.length ?? 0;
    if (chunks > FREE_CHUNKS && bytes < chunks * TINY_CHUNK_BYTES) {
      req.socket.destroy();
      return false;
    }
    return push(chunk, encoding);
  };
}
