import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';
import { clientAddress } from '../client-address.js';
import type { Logger } from '../logger.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express offers no other way
  namespace Express {
    interface Locals {
      /** Set by the JWT middleware when the request has an Authorization header. */
      authenticated?: boolean;
      /** The client, which waited for it, was told to go on sending its body. */
      bodyInvited?: boolean;
      /** The client has been refused so often that what it still sends is not read. */
      bodyUnwanted?: boolean;
      /** What the error handler answered, for the log. */
      failure?: { code: string; detail?: string };
    }
  }
}

/** A client's own request id is taken when it is short and can't break a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** nginx's status for a client that did not wait for its answer; only ever logged. */
const CLIENT_GONE = 499;

/** Long groups of digits in a path could be a PIN code. */
const loggedPath = (url = '') =>
  url
    .replace(/[?#].*$/s, '')
    .slice(0, 200)
    .replace(/\d[\d-]{8,}/g, '…');

const statusOf = (res: ServerResponse) => (res.writableEnded ? res.statusCode : CLIENT_GONE);

/**
 * One line for each request, with an id that is sent back as X-Request-Id. It has the path without its
 * query, the address, the outcome: no headers, no bodies.
 */
export function requestLog(log: Logger): RequestHandler {
  return pinoHttp({
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
        path: loggedPath(req.originalUrl ?? req.url),
        address: clientAddress(req as never),
      }),
      res: (res: ServerResponse) => ({ status: statusOf(res) }),
      err: ({ name, message, stack }: Error) => ({ name, message, stack }),
    },
    customProps: (_req, res) => {
      const { authenticated, failure } = (res as Response).locals;
      // For nothing pino-http makes no child logger, which would cost a probe more than its answer.
      return (
        authenticated || failure ? { ...(authenticated && { token: true }), ...failure } : undefined
      ) as object;
    },
    customLogLevel: (req, res) => {
      const status = statusOf(res);
      if (status === CLIENT_GONE) return 'info';
      const isProbe = req.method !== 'POST';
      if (status >= 500) return isProbe ? 'warn' : 'error';
      if (status >= 400) return 'warn';
      return isProbe ? 'debug' : 'info';
    },
    // For a 5xx that the service chose, pino-http would make up an error with a stack.
    customErrorObject: (_req, res, _error, fields: object) => {
      const { err, ...rest } = fields as { err?: unknown };
      return res.err ? { ...rest, err } : rest;
    },
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  }) as RequestHandler;
}
