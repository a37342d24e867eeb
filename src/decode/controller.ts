import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { HttpError } from '../errors/http-error.js';
import { RingUnavailableError, UndecodableError, type Ring } from '../ring/commands.js';
import { RunError } from '../ring/run.js';
import { clientOf } from './admission.js';
import { decodeLicense } from './decode-license.js';
import { decodeSignal } from './decode-signal.js';
import type { DecodeResult } from './response-schema.js';
import { createWorkspace, removeFiles } from './workspace.js';

export interface DecodeControllerOptions {
  ring: Ring;
  /** Base of the decodes' directories. */
  workDirectory: string;
  /** Milliseconds from the end of the upload to the answer. */
  timeoutMs: number;
  /** Aborts, with the error for the callers, when the service stops and cannot wait for its decodes any longer. */
  aborting: AbortSignal;
  log: Logger;
}

/** Decodes the uploaded file and answers with the result. Leaves no file behind, regardless of the outcome. */
export function decodeController(options: DecodeControllerOptions): RequestHandler {
  const { ring, workDirectory, timeoutMs, aborting, log } = options;

  async function decode(req: Request, res: Response): Promise<DecodeResult> {
    await using upload = uploadOf(req, log);
    using over = decodeSignal(res, timeoutMs, aborting);
    if (upload.size === 0) throw new HttpError('file_empty');
    const launcher = await ring.launcher();
    await using workspace = await createWorkspace(workDirectory, upload.path, log);
    const { licenses, tmp, file } = workspace;
    const context = { launcher, licenses, tmp, client: clientOf(req, res), signal: over.signal };
    const { detailed, structured } = upload;
    return await decodeLicense(ring, context, { detailed, structured, file, log });
  }

  return async (req, res) => {
    const result = await decode(req, res).catch((error: unknown) => {
      throw toHttpError(error);
    });
    if (!res.destroyed) res.json(result);
  };
}

/** What the upload middleware has stored. Disposing of it removes the file, unless it was moved. */
function uploadOf(req: Request, log: Logger) {
  if (!req.file) throw new Error('the upload middleware let a request without a file through');
  const { path, size } = req.file;
  const fields = req.body as { detailed?: unknown; structured?: unknown };
  return {
    path,
    size,
    detailed: fields.detailed === 'true',
    structured: fields.structured === 'true',
    [Symbol.asyncDispose]: () => removeFiles(path, log),
  };
}

/** The error for the caller of what {@link Ring} throws; any other stays as it is. */
function toHttpError(error: unknown): unknown {
  if (error instanceof UndecodableError)
    return new HttpError('license_undecodable', { detail: error.message });
  if (error instanceof RingUnavailableError)
    return new HttpError('ring_unavailable', { detail: error.message });
  if (!(error instanceof RunError)) return error;
  if (error.reason === 'timed_out') return new HttpError('ring_timeout', { detail: error.message });
  // The deadline and the stop abort a decode with the error that its caller gets.
  return error.cause instanceof HttpError ? error.cause : error;
}
