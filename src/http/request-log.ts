import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from 'pino';
import { clientAddress } from './client.js';
import type { ExpressResponse } from './locals.js';

/** A client's own request id is accepted when it is short and cannot break a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** nginx's status for a connection that was closed before the answer; only ever logged. */
const CLIENT_GONE = 499;

/** The paths of the service. Any other text in a path could be a token or a PIN code, and is not logged. */
const KNOWN_PATH = /^\/(?:healthz|metrics|docs|assets|api\/(?:decode|status|docs))?(?=[/?#]|$)/;

/** A request as Express and pino-http leave it. */
type LoggedRequest = IncomingMessage & { originalUrl?: string };

/**
 * Logs one line per request, with the id that is sent back as X-Request-Id, the path without its query, the address
 * and the outcome. No headers, no bodies.
 */
export function requestLog(log: Logger): RequestHandler {
  return pinoHttp<LoggedRequest, ExpressResponse>({
    logger: log,
    genReqId: (req, res) => {
      const id = requestId(req);
      res.setHeader('X-Request-Id', id);
      return id;
    },
    wrapSerializers: false,
    serializers: {
      req: (req: LoggedRequest) => ({
        id: req.id,
        method: req.method,
        path: knownPath(req),
        address: clientAddress(req),
      }),
      res: (res: ExpressResponse) => ({ status: sentStatus(res) }),
      err: ({ name, message, stack }: Error) => ({ name, message, stack }),
    },
    // pino-http takes undefined too, unlike its types.
    customProps: outcomeFields as (req: LoggedRequest, res: ExpressResponse) => object,
    customLogLevel: levelOf,
    // For a 5xx that the service chose, pino-http would invent an error with a stack.
    customErrorObject: (_req, res, _error, fields: object) => {
      const { err, ...rest } = fields as { err?: unknown };
      return res.err ? { ...rest, err } : rest;
    },
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  }) as RequestHandler;
}

function requestId(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  const isAccepted = typeof given === 'string' && REQUEST_ID.test(given);
  return isAccepted ? given : randomUUID();
}

function knownPath(req: LoggedRequest): string {
  const path = req.originalUrl ?? req.url ?? '';
  return KNOWN_PATH.exec(path)?.[0] ?? 'unknown';
}

/** The status counts once it was sent: a client may leave when it has its answer, before the rest of its body was read. */
function sentStatus(res: ExpressResponse): number {
  return res.headersSent ? res.statusCode : CLIENT_GONE;
}

/**
 * Whether the token of a request was accepted, and its error.
 * @returns undefined without a token and an error, because for an object pino-http creates a logger, which costs more
 *   than a probe does
 */
function outcomeFields(_req: LoggedRequest, { locals = {} }: ExpressResponse): object | undefined {
  const { authenticated, subject, tokenProblem, failure } = locals;
  if (tokenProblem !== undefined) return { tokenProblem, ...failure };
  if (authenticated !== true) return failure;

  // No character may break the log line.
  const sub = subject?.replace(/[^\w.@:-]/g, '_').slice(0, 64);
  return { token: true, sub, ...failure };
}

/** Decodes are logged at `info`; probes and pages, which come often, at `debug` while they get an answer. */
function levelOf(req: IncomingMessage, res: ExpressResponse): 'debug' | 'info' | 'warn' | 'error' {
  const isDecode = req.method === 'POST';
  const status = res.err ? 500 : sentStatus(res);
  if (status === CLIENT_GONE) return 'info';
  // Not ready: `pollLog` logs why, and lines of probes would bury that.
  if (status === 503 && !isDecode) return 'debug';
  if (status >= 500) return isDecode ? 'error' : 'warn';
  if (status >= 400) return 'warn';
  return isDecode ? 'info' : 'debug';
}
