import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../errors/http-error.js';
import { clientKey } from '../http/client-address.js';
import { DECIDED } from '../http/unread-body.js';

/** Decodes that each client may have at once, however small the limit. */
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
  /** The client of each admitted decode. */
  const admitted = new Map<Response, string>();
  return (req, res, next) => {
    const client = clientOf(req, res);
    const own = [...admitted.values()].filter((other) => other === client).length;
    if (admitted.size >= limit || own >= share) throw new HttpError('queue_full');
    admitted.set(res, client);
    const release = () => void admitted.delete(res);
    // A client that reads nothing, or sends its body later, keeps its answer, but not its place.
    for (const event of [DECIDED, 'prefinish', 'close']) res.once(event, release);
    next();
  };
}
