import { IncomingMessage } from 'node:http';

/** Chunks that a body may come in before their size counts. */
const FREE_CHUNKS = 5_000;
/** Average bytes below which the chunks count as tiny. */
const TINY_CHUNK_BYTES = 64;

/**
 * A request that stops the parser once its connection has been destroyed.
 *
 * Node.js would go on parsing what has already arrived, up to 1,900 pipelined requests in a segment of 64 KB, and keep
 * all of them until the connection's `close` event. 300 such connections fill the heap and end the process.
 *
 * The parser stops at a request that is to be upgraded, since what follows it is no HTTP. Node.js reads `upgrade` to find
 * that out, in `parserOnIncoming` of https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js, and then returns 2,
 * on which `parserOnHeadersComplete` ends the parsing. So after the connection was destroyed, each request claims to be
 * an upgrade.
 */
export class StoppableRequest extends IncomingMessage {
  get upgrade(): boolean {
    return this.socket.destroyed;
  }

  set upgrade(_asked: boolean) {
    // Node.js stores here whether the client asked for an upgrade. This service upgrades nothing.
  }
}

/**
 * Calls `close`, which is to close the connection, when a body comes in tiny chunks.
 *
 * For each chunk of `Transfer-Encoding: chunked`, however small, the parser calls `parserOnBody` of
 * https://github.com/nodejs/node/blob/v24.x/lib/_http_common.js, which makes a buffer and pushes it into the request. A
 * body of 5 MB in chunks of one byte would keep the event loop busy for seconds.
 */
export function stopTinyChunks(req: IncomingMessage, close: () => void): void {
  const push = req.push.bind(req);
  let chunks = 0;
  let received = 0;
  // An own property, because Express replaces the prototype of the request.
  req.push = (chunk: Buffer | null) => {
    chunks += 1;
    received += chunk?.length ?? 0;
    const areTiny = received < chunks * TINY_CHUNK_BYTES;
    if (chunks > FREE_CHUNKS && areTiny) close();
    return push(chunk);
  };
}
