import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests of a connection that wait for their turn. One TCP segment can hold thousands, and each takes memory. */
const MAX_WAITING = 32;
/** Milliseconds an idle connection is kept after the server was told to stop. */
const IDLE_GRACE_MS = 1_000;

/** What happens on one connection. */
interface Turns {
  socket: Socket;
  /** Of the request that has begun. */
  current: ServerResponse | undefined;
  /** Begin what has arrived after it. */
  waiting: (() => void)[];
  /** The request that has arrived last. */
  last: IncomingMessage | undefined;
  /** The bytes after it are not HTTP. */
  broken: boolean;
}

/**
 * The open connections of a server. Serves one request at a time on each: the next one begins when the answer before
 * it has been sent. So a client that does not read holds one answer per connection, not one per request.
 */
export class Connections {
  private readonly open = new Map<Duplex, Turns>();

  /** @param begin serves one request */
  constructor(
    private readonly server: Server,
    begin: RequestListener,
  ) {
    server.on('connection', (socket) => {
      this.open.set(socket, { socket, current: undefined, waiting: [], last: undefined, broken: false });
      socket.once('close', () => this.open.delete(socket));
    });
    const arrive: RequestListener = (req, res) => {
      const turns = this.open.get(req.socket);
      if (!turns) return;
      turns.last = req;
      this.enqueue(turns, () => {
        turns.current = res;
        res.once('close', () => {
          turns.current = undefined;
          // After the last answer on a connection the rest of its requests stays unanswered (RFC 9112, section 9.3.2).
          const next = req.socket.writable ? turns.waiting.shift() : undefined;
          next?.();
        });
        begin(req, res);
      });
    };
    // curl holds a large file back until it is told to send it; see askForBody.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, arrive);
  }

  /**
   * Handles bytes that are not HTTP: answers when the requests that arrived whole before them have been answered, at
   * once when they are in the body of the current request.
   * @param answer writes to the connection and closes it
   */
  onBrokenRequest(socket: Duplex, answer: () => void): void {
    const turns = this.open.get(socket);
    if (!turns || turns.broken) return;
    turns.broken = true;
    const { current, last, waiting } = turns;
    if (!last || last.complete) this.enqueue(turns, answer);
    else if (current?.req !== last) waiting.splice(-1, 1, answer);
    else if (current.headersSent) socket.destroy();
    else answer();
  }

  /**
   * Accepts no new connections and lets each answer close its connection.
   * @returns resolves when all connections are closed
   */
  async drain(close: (done: () => void) => void): Promise<void> {
    for (const { current } of this.open.values())
      if (current && !current.headersSent) current.setHeader('Connection', 'close');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    close(() => resolve(undefined));
    const graceEnd = performance.now() + IDLE_GRACE_MS;
    const timer = setInterval(() => {
      if (performance.now() < graceEnd) return;
      this.server.closeIdleConnections();
      // Node.js does not count these as idle: nothing was ever sent over them, or only an unwanted body still arrives.
      for (const { socket } of this.open.values())
        if (socket.bytesRead === 0 || socket.writableFinished) socket.destroy();
    }, 50);
    await promise;
    clearInterval(timer);
  }

  private enqueue({ socket, current, waiting }: Turns, begin: () => void): void {
    // The rest of a segment arrives even after its connection was closed.
    if (socket.destroyed) return;
    if (!current) begin();
    else if (waiting.length < MAX_WAITING) waiting.push(begin);
    else socket.destroy();
  }
}
