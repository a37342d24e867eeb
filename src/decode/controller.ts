import { rm } from 'node:fs/promises';
import type { Request, RequestHandler } from 'express';
import { HttpError } from '../errors/http-error.js';
import type { Logger } from 'pino';
import type { Ring } from '../ring/commands.js';
import { clientOf } from './admission.js';
import { decodeLicense } from './decode-license.js';
import type { DecodeResult } from './response-schema.js';
import { createWorkspace, removeWorkspace, type Workspace } from './workspace.js';

export interface DecodeControllerOptions {
  ring: Ring;
  /** Base of the decodes' directories. */
  workDirectory: string;
  /** Milliseconds from the end of the upload to the answer. */
  timeoutMs: number;
  /** Aborts, with the error for the callers, when the service stops and cannot wait for its decodes any longer. */
  shutdown: AbortSignal;
  log: Logger;
}

/** Decodes the uploaded file and answers with the result. Leaves no file behind, regardless of the outcome. */
export function decodeController(options: DecodeControllerOptions): RequestHandler {
  const { ring, workDirectory, timeoutMs, shutdown, log } = options;
  return async (req, res) => {
    const upload = uploadOf(req);
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new HttpError('decode_timeout', { values: { seconds: timeoutMs / 1000 } })),
      timeoutMs,
    );
    const onClientGone = () => abort.abort();
    const onShutdown = () => abort.abort(shutdown.reason);
    res.once('close', onClientGone);
    shutdown.addEventListener('abort', onShutdown);
    if (res.closed) onClientGone();
    if (shutdown.aborted) onShutdown();

    let workspace: Workspace | undefined;
    let result: DecodeResult;
    try {
      if (upload.size === 0) throw new HttpError('file_empty');
      const launcher = await ring.launcher();
      workspace = await createWorkspace(workDirectory, upload.path);
      const { licenses, tmp, file } = workspace;
      const context = { launcher, licenses, tmp, client: clientOf(req, res), signal: abort.signal };
      const { detailed, structured } = upload;
      result = await decodeLicense(ring, context, { detailed, structured, file, log });
    } finally {
      clearTimeout(timer);
      res.off('close', onClientGone);
      shutdown.removeEventListener('abort', onShutdown);
      await removeFiles(upload.path, workspace, log);
    }
    if (!res.destroyed) res.json(result);
  };
}

function uploadOf(req: Request) {
  if (!req.file) throw new Error('the upload middleware let a request without a file through');
  const { path, size } = req.file;
  const fields = req.body as { detailed?: unknown; structured?: unknown };
  return { path, size, detailed: fields.detailed === 'true', structured: fields.structured === 'true' };
}

async function removeFiles(upload: string, workspace: Workspace | undefined, log: Logger): Promise<void> {
  try {
    await rm(upload, { force: true });
    if (workspace) await removeWorkspace(workspace);
  } catch (error) {
    log.error({ err: error }, 'could not remove the files of a decode, which hold personal data');
  }
}
