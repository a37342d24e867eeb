import type { RequestHandler, Response } from 'express';
import { HttpError } from '../errors/http-error.js';
import { clientOf } from '../http/client.js';
import { DECIDED } from '../http/unread-body.js';

/** Decodes that each client may have at once, however small the limit is. */
const MIN_SHARE = 8;

/**
 * Limits how many decodes upload, wait or run at once, because each keeps a file of up to 5 MB, first in UPLOAD_DIR and
 * then in TMP_BASE. The others are refused before their body is read. One client gets at most half of the places, or
 * {@link MIN_SHARE} if that is more, so that it cannot keep out all others.
 * @param limit decodes at once
 */
export function admitDecodes(limit: number): RequestHandler {
  const share = Math.max(MIN_SHARE, Math.ceil(limit / 2));
  /** The client of each admitted decode. */
  const admitted = new Map<Response, string>();

  return (req, res, next) => {
    const client = clientOf(req, res);
    const ofThisClient = [...admitted.values()].filter((other) => other === client);
    const isFull = admitted.size >= limit;
    if (isFull || ofThisClient.length >= share) throw new HttpError('queue_full');

    admitted.set(res, client);
    const release = () => void admitted.delete(res);
    // The place is free as soon as the answer is decided. A client that does not read its answer, or goes on sending its
    // body, would otherwise keep the place until the connection closes.
    res.once(DECIDED, release);
    res.once('prefinish', release);
    res.once('close', release);
    next();
  };
}
