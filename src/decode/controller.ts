import { rm } from 'node:fs/promises';
import type { Request, RequestHandler } from 'express';
import { HttpError } from '../errors.js';
import type { Logger } from '../logger.js';
import { RingUnavailableError, UndecodableError, type Ring } from '../ring/ring.js';
import { RunError } from '../ring/run.js';
import { QueueFullError } from '../ring/slots.js';
import type { InstanceDirectory } from '../storage/instance-directory.js';
import { decodeLicense } from './decode-license.js';
import type { DecodeResult } from './result.js';
import { createWorkspace, removeWorkspace, type Workspace } from './workspace.js';

export interface DecodeControllerOptions {
  ring: Ring;
  work: InstanceDirectory;
  /** Milliseconds from here to the answer. */
  timeoutMs: number;
  /** Aborts when the service can't wait for its decodes any longer. */
  shutdown: AbortSignal;
  log: Logger;
}

/** Seconds after which a client that met a full queue or a restart may try again: about what a few decodes take. */
const RETRY_SECONDS = 5;

/** Decodes the uploaded file and answers with the result, leaving nothing on disk, whatever happens. */
export function decodeController(options: DecodeControllerOptions): RequestHandler {
  const { ring, work, timeoutMs, shutdown, log } = options;
  return async (req, res) => {
    const upload = uploadOf(req);
    const abort = new AbortController();
    const deadline = setTimeout(() => {
      abort.abort(new HttpError('decode_timeout', { values: { seconds: timeoutMs / 1000 } }));
    }, timeoutMs);
    const clientGone = () => {
      abort.abort();
    };
    const shuttingDown = () => {
      abort.abort(new HttpError('shutting_down', { retryAfter: RETRY_SECONDS }));
    };
    res.once('close', clientGone);
    shutdown.addEventListener('abort', shuttingDown);
    if (res.destroyed || res.closed) clientGone();
    if (shutdown.aborted) shuttingDown();

    let workspace: Workspace | undefined;
    let result: DecodeResult;
    try {
      if (upload.size === 0) throw new HttpError('file_empty');
      const launcher = await ring.launcher();
      workspace = await createWorkspace(work, upload.path);
      const context = { launcher, licenses: workspace.licenses, tmp: workspace.tmp, signal: abort.signal };
      result = await decodeLicense(ring, context, { detailed: upload.detailed, log });
    } catch (error) {
      throw toHttpError(error, abort.signal);
    } finally {
      clearTimeout(deadline);
      res.off('close', clientGone);
      shutdown.removeEventListener('abort', shuttingDown);
      await discard(upload.path, workspace, log);
    }
    if (!res.destroyed) res.json(result);
  };
}

/** The answer of a service whose queue is full. */
export function queueFullError(): HttpError {
  return new HttpError('queue_full', { retryAfter: RETRY_SECONDS });
}

function uploadOf(req: Request): { path: string; size: number; detailed: boolean } {
  if (!req.file) throw new Error('the upload middleware let a request without a file through');
  const fields = req.body as { detailed?: unknown };
  return { path: req.file.path, size: req.file.size, detailed: fields.detailed === 'true' };
}

async function discard(upload: string, workspace: Workspace | undefined, log: Logger): Promise<void> {
  try {
    await rm(upload, { force: true });
    if (workspace) await removeWorkspace(workspace);
  } catch (error) {
    log.error({ err: error }, 'could not remove the files of a decode: they hold personal data');
  }
}

function toHttpError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof UndecodableError) {
    return new HttpError('license_undecodable', { detail: error.message });
  }
  if (error instanceof RingUnavailableError) {
    return new HttpError('ring_unavailable', { detail: error.message });
  }
  if (error instanceof QueueFullError) return queueFullError();
  if (error instanceof RunError) {
    if (error.reason === 'timed_out') {
      return new HttpError('ring_timeout', { detail: error.message });
    }
    if (error.reason === 'aborted' && signal.reason instanceof HttpError) return signal.reason;
  }
  return error;
}
