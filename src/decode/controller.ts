import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../errors/http-error.js';
import type { ErrorCode } from '../errors/catalog.js';
import { RingError, type RingFailure } from '../ring/ring-error.js';
import type { Ring } from '../ring/ring.js';
import { clientOf } from '../http/client.js';
import type { TemporaryStorage } from '../storage/temporary-storage.js';
import { decodeLicense } from './decode-license.js';
import { decodeSignal } from './decode-signal.js';
import type { DecodeResult } from './response-schema.js';
import type { DecodeOptions } from './upload.js';
import { createWorkspace, removeFiles } from './workspace.js';

export interface DecodeControllerOptions {
  ring: Ring;
  storage: TemporaryStorage;
  /** Milliseconds from the end of the upload to the answer. */
  timeoutMs: number;
  /** Aborts when the service stops and can no longer wait for decodes. */
  aborting: AbortSignal;
}

/** The error for the caller when ring fails. `aborted` is missing here, because the reason of the signal is the error. */
const CODES: Record<Exclude<RingFailure, 'aborted'>, ErrorCode> = {
  not_started: 'ring_unavailable',
  refused: 'ring_unavailable',
  killed: 'ring_unavailable',
  crashed: 'ring_crashed',
  timed_out: 'ring_timeout',
  output_limit: 'license_undecodable',
  undecodable: 'license_undecodable',
};

/** Decodes the uploaded file and answers with the result. Leaves no file behind, regardless of the outcome. */
export function decodeController(options: DecodeControllerOptions): RequestHandler {
  const { ring, storage, timeoutMs, aborting } = options;

  /** @returns undefined when the client has gone */
  async function decode(req: Request, res: Response): Promise<DecodeResult | undefined> {
    await using upload = uploadOf(req);
    if (upload.size === 0) throw new HttpError('file_empty');

    using ending = decodeSignal(res, timeoutMs, aborting);
    try {
      await using workspace = await createWorkspace(storage, upload.path, req.log);
      const { licenses, file } = workspace;
      const context = { licenses, client: clientOf(req, res), signal: ending.signal };
      return await decodeLicense(ring, context, { ...upload, file, log: req.log });
    } catch (error) {
      if (!(error instanceof RingError)) throw error;
      if (error.reason !== 'aborted') throw new HttpError(CODES[error.reason], { detail: error.message });

      // The reason of the signal is the error for the caller. Without one there is no caller any more.
      const { reason } = ending.signal as { reason: unknown };
      if (reason instanceof HttpError) throw reason;
      return undefined;
    }
  }

  return async (req, res) => {
    const result = await decode(req, res);
    if (result) res.json(result);
  };
}

/** The file that the upload middleware has stored. Disposing of it removes the file, unless the decode has moved it. */
function uploadOf(req: Request) {
  if (!req.file) throw new Error('the upload middleware let a request without a file through');
  const { path, size } = req.file;
  const { detailed, structured } = req.body as DecodeOptions;
  return {
    path,
    size,
    detailed,
    structured,
    [Symbol.asyncDispose]: () => removeFiles(path, req.log),
  };
}
