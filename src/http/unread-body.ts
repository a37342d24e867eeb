import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished, type Readable } from 'node:stream';

/** Event of a response whose answer is ready, though the body of its request may still arrive. */
export const DECIDED = 'decided';

/**
 * Lets a client read an answer that is ready before the body of its request has been read. {@link DECIDED} is emitted
 * then.
 *
 * The connection closes with such an answer, and the answer says so. Otherwise a client such as aiohttp 3.8 might send its
 * next request while the rest of this body is still on its way, and the two would mix. But if a connection is closed while
 * data is unread, TCP resets it, and the client may lose the answer. So the response ends only after the rest of the body,
 * which is discarded for up to `lingerMs` milliseconds.
 */
export function answerUnreadBody(req: IncomingMessage, res: ServerResponse, lingerMs: number): void {
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;

  res.end = (...args: unknown[]) => {
    // Only the first call waits for the body. Any further one ends the response at once.
    res.end = end;
    res.emit(DECIDED);
    if (req.complete) return end(...args);

    res.shouldKeepAlive = false;
    const [content] = args;
    const hasContent = typeof content === 'string' || Buffer.isBuffer(content);
    if (hasContent) res.write(content);
    else res.flushHeaders();
    discardRest(req, lingerMs, () => {
      if (!res.writableEnded) end();
      // A static file begins to be sent before its end is known here, under headers that keep the connection.
      if (!req.complete) req.socket.destroySoon();
    });
    return res;
  };
}

/**
 * Makes the end of an answer close only the sending side of its connection, and discard what still arrives for up to
 * `lingerMs` milliseconds. The reason is that of {@link answerUnreadBody}, for bytes that belong to no request.
 */
export function closeAfterRest(socket: Socket, lingerMs: number): void {
  // Node.js calls this when an answer has ended that closes its connection.
  socket.destroySoon = () => {
    socket.end();
    discardRest(socket, lingerMs, () => socket.destroy());
  };
}

/** Discards the rest of a stream, until its end but for no longer than `ms` milliseconds, and then calls `close`. */
export function discardRest(rest: Readable, ms: number, close: () => void): void {
  const timer = setTimeout(close, ms);
  rest.resume();
  finished(rest, () => {
    clearTimeout(timer);
    close();
  });
}
