import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from 'pino';
import { clientAddress } from './client-address.js';
import type { ExpressResponse } from './locals.js';

/** A client's own request id is accepted when it is short and cannot break a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** nginx's status for a client that did not wait for its answer; only ever logged. */
const CLIENT_GONE = 499;

/** The paths of the service. Any other text in a path could be a token or a PIN code, and is not logged. */
const KNOWN_PATH = /^\/(?:healthz|metrics|docs|assets|api\/(?:decode|status|docs))?(?=[/?#]|$)/;

/** A valid token's subject, without what could break a log line. */
const tokenOf = ({ authenticated, subject }: Express.Locals) =>
  authenticated && { token: true, sub: subject?.replace(/[^\w.@:-]/g, '_').slice(0, 64) };

/** A client may leave as soon as it has its answer, before the rest of its body was read. */
const sentStatusOf = (res: ExpressResponse) => (res.headersSent ? res.statusCode : CLIENT_GONE);

/**
 * Logs one line per request, with the id that is sent back as X-Request-Id, the path without its query, the address
 * and the outcome. No headers, no bodies.
 */
export function requestLog(log: Logger): RequestHandler {
  return pinoHttp<IncomingMessage & { originalUrl?: string }, ExpressResponse>({
    logger: log,
    genReqId: (req, res) => {
      const given = req.headers['x-request-id'];
      const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    wrapSerializers: false,
    serializers: {
      req: (req: IncomingMessage & { originalUrl?: string }) => ({
        id: req.id,
        method: req.method,
        path: KNOWN_PATH.exec(req.originalUrl ?? req.url ?? '')?.[0] ?? 'unknown',
        address: clientAddress(req),
      }),
      res: (res: ExpressResponse) => ({ status: sentStatusOf(res) }),
      err: ({ name, message, stack }: Error) => ({ name, message, stack }),
    },
    // Only ever an object with entries: for each one pino-http creates a child logger, which costs more than a probe.
    customProps: (_req, { locals }) =>
      (locals?.authenticated || locals?.failure
        ? { ...tokenOf(locals), ...locals.failure }
        : undefined) as object,
    customLogLevel: (req, res) => {
      const status = res.err ? 500 : sentStatusOf(res);
      if (status === CLIENT_GONE) return 'info';
      const isProbe = req.method !== 'POST';
      if (status >= 500) return isProbe ? 'warn' : 'error';
      if (status >= 400) return 'warn';
      return isProbe ? 'debug' : 'info';
    },
    // For a 5xx that the service chose, pino-http would invent an error with a stack.
    customErrorObject: (_req, res, _error, fields: object) => {
      const { err, ...rest } = fields as { err?: unknown };
      return res.err ? { ...rest, err } : rest;
    },
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  }) as RequestHandler;
}
