import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../errors/http-error.js';
import { clientKey } from '../http/client-address.js';

/** Decodes that every client may have at once, however small the limit: below, shares would only get in the way. */
const MIN_SHARE = 8;

/** Who a decode belongs to: the subject of a token, else the client's address. */
export function clientOf(req: Request, res: Response): string {
  const { subject } = res.locals;
  return subject === undefined ? clientKey(req) : `token:${subject}`;
}

/**
 * Bounds the decodes that upload, wait or run, since each keeps up to 5 MB in UPLOAD_DIR, and refuses the rest before
 * the body is read. No client gets more than half of them, or {@link MIN_SHARE} if that is more.
 * @param limit decodes at once
 */
export function admitDecodes(limit: number): RequestHandler {
  const share = Math.max(MIN_SHARE, Math.ceil(limit / 2));
  const perClient = new Map<string, number>();
  let total = 0;
  return (req, res, next) => {
    const client = clientOf(req, res);
    const own = perClient.get(client) ?? 0;
    if (total >= limit || own >= share) throw new HttpError('queue_full');
    total++;
    perClient.set(client, own + 1);
    res.once('close', () => {
      total--;
      const left = (perClient.get(client) ?? 1) - 1;
      if (left > 0) perClient.set(client, left);
      else perClient.delete(client);
    });
    next();
  };
}
