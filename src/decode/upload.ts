import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import multer from 'multer';
import { HttpError } from '../errors/http-error.js';
import { onBroken } from '../http/server.js';
import { MAX_FILE_BYTES } from '../license/clear-text.js';
import { FormFields, unexpectedField } from './form-fields.js';
import type { TemporaryStorage } from '../storage/temporary-storage.js';
import { removeFiles } from './workspace.js';

/** Largest request: the file, and room for the multipart framing and the headers of its parts. */
const MAX_BODY_BYTES = MAX_FILE_BYTES + 65_536;
/** Longest multipart boundary (RFC 2046, section 5.1.1). The parser's time grows with its square. */
const MAX_BOUNDARY_LENGTH = 70;
/** Longest Content-Type, which bounds the boundary however it is written. */
const MAX_CONTENT_TYPE_LENGTH = 256;

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- multer types req.file through this namespace only.
  namespace Express.Multer {
    interface File {
      /** The SHA-256 of the file's bytes, in hex. It tells distinct files apart and is never logged. */
      fingerprint: string;
    }
  }
}

/** What is known of a file once it is stored. */
type StoredFile = Pick<Express.Multer.File, 'path' | 'size' | 'fingerprint'>;

/** multer's options, with one that its type declarations lack. */
type MulterOptions = multer.Options & {
  streamHandler: (
    req: NodeJS.ReadableStream,
    parser: NodeJS.WritableStream & { destroy(error: Error): void },
  ) => void;
};

const LIMITS = {
  fileSize: MAX_FILE_BYTES,
  files: 1,
  // One more text field than a form may have, so that the error can name it.
  fields: 3,
  parts: 4,
  fieldNameSize: 64,
  fieldSize: 64,
  headerPairs: 20,
  // Off unless set: field names like detailed[9999999999] or a[b][c] (CVE-2026-82333, CVE-2026-5079).
  fieldNestingDepth: 0,
  fieldArrayIndexLimit: 0,
};

/**
 * Takes the multipart form: writes the file of the field `license` to the storage and describes it in `req.file`,
 * puts the text fields into `req.body`. Refuses everything else, as early as possible, when no file of it is left.
 * @param aborting aborts when the service stops and can no longer wait for uploads
 */
export function uploadLicense(files: TemporaryStorage, aborting: AbortSignal): RequestHandler {
  return (req, res, next) => {
    if (aborting.aborted) throw new HttpError('shutting_down');
    refuseByHeaders(req);
    let path = '';
    let storing: Promise<StoredFile> | undefined;
    // multer reports an error only after the whole body, which may never arrive, so the first report counts.
    let reported = false;
    const fields = new FormFields();
    let onAborting: () => void = () => undefined;
    const report = async (error?: unknown) => {
      if (reported) return;
      reported = true;
      aborting.removeEventListener('abort', onAborting);
      await storing?.catch(() => undefined);
      if (path !== '' && error !== undefined) await removeFiles(path, req.log);
      next(error);
    };
    const options: MulterOptions = {
      storage: {
        _handleFile: (_req, file, done) => {
          storing = files.newUpload().then((name) => store(file.stream, (path = name)));
          storing.then((stored) => done(null, stored), done);
        },
        // The report does: multer forgets a file that it could not write whole.
        _removeFile: (_req, _file, done) => done(null),
      },
      limits: LIMITS,
      defParamCharset: 'utf8',
      fileFilter: (_req, file, done) => {
        // The rest of a form that is refused is still parsed up to the end of its segment.
        if (reported) {
          done(null, false);
          return;
        }
        const isNamedRight = /\.lic$/i.test(file.originalname);
        const error = isNamedRight ? fields.add(file.fieldname) : new HttpError('wrong_file_name');
        if (!error) {
          done(null, true);
          return;
        }
        void report(error);
        done(error);
      },
      streamHandler: (body, parser) => {
        const giveUp = (error: HttpError) => {
          void report(error);
          parser.destroy(error);
        };
        // Before multer's own listener, which would refuse some of these names without saying which.
        parser.prependListener('field', (name: string | undefined) => {
          const error = fields.add(name ?? '');
          if (error) giveUp(error);
        });
        let received = 0;
        body.on('data', (chunk: Buffer) => {
          received += chunk.length;
          if (received > MAX_BODY_BYTES && !reported) giveUp(fileTooLarge());
        });
        body.pipe(parser);
        onBroken(req, giveUp);
        onAborting = () => giveUp(new HttpError('shutting_down'));
        aborting.addEventListener('abort', onAborting);
      },
    };
    void multer(options).single('license')(req, res, (error?: unknown) => {
      if (error === undefined) void report(req.file ? undefined : new HttpError('file_missing'));
      else void report(errorForCaller(error));
    });
  };
}

/** Writes the file and computes its fingerprint on the way, so that it need not be read again. */
async function store(content: Readable, path: string): Promise<StoredFile> {
  const hash = createHash('sha256');
  const file = createWriteStream(path);
  await pipeline(
    content,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    file,
  );
  return { path, size: file.bytesWritten, fingerprint: hash.digest('hex') };
}

function refuseByHeaders(req: Request): void {
  if (!req.is('multipart/form-data')) throw new HttpError('not_multipart');
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw fileTooLarge();
  const type = req.headers['content-type'] ?? '';
  const boundary = /boundary="?([^";]*)/i.exec(type)?.[1] ?? '';
  if (boundary.length > MAX_BOUNDARY_LENGTH || type.length > MAX_CONTENT_TYPE_LENGTH) {
    throw new HttpError('malformed_body');
  }
}

const fileTooLarge = () => new HttpError('file_too_large', { values: { bytes: MAX_FILE_BYTES } });

/** The error for the caller of what multer reports; one of the disk stays as it is. */
function errorForCaller(error: unknown): unknown {
  if (error instanceof multer.MulterError) return fromMulterError(error);
  // busboy throws bare errors; those of the disk carry the system call.
  const isOfParser = error instanceof Error && !(error instanceof HttpError) && !('syscall' in error);
  return isOfParser ? new HttpError('malformed_body') : error;
}

function fromMulterError({ code, field }: multer.MulterError): HttpError {
  // Without a file name in its part, the file is a text field, and too long for one.
  if (code === 'LIMIT_FIELD_VALUE' && field === 'license') return new HttpError('file_missing');
  if (code === 'LIMIT_FILE_SIZE') return fileTooLarge();
  if (code === 'LIMIT_FILE_COUNT' || code === 'LIMIT_UNEXPECTED_FILE')
    return new HttpError('unexpected_file');
  return unexpectedField(field ?? '', code);
}
