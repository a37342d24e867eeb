import type { RequestHandler } from 'express';
import multer from 'multer';
import { HttpError } from '../errors.js';
import type { InstanceDirectory } from '../storage/instance-directory.js';

/** Largest licence file, 5 MB: exactly this size is accepted. Real ones have a few kilobytes. */
export const MAX_FILE_BYTES = 5_242_880;
/** Largest request: the file, and room for the multipart framing and headers of its two parts. */
const MAX_BODY_BYTES = MAX_FILE_BYTES + 65_536;

/** multer's options that its type declarations do not know yet. */
type MulterOptions = multer.Options & {
  limits: { fieldNestingDepth: number; fieldArrayIndexLimit: number };
  streamHandler: (
    req: NodeJS.ReadableStream,
    parser: NodeJS.WritableStream & { destroy(error: Error): void },
  ) => void;
};

const LIMITS = {
  fileSize: MAX_FILE_BYTES,
  files: 1,
  fields: 1,
  parts: 2,
  fieldNameSize: 64,
  fieldSize: 64,
  headerPairs: 20,
  // Names like detailed[9999999999] or a[b][c]… cost CPU or crash older multers, see CVE-2026-82333 and
  // CVE-2026-5079; both limits are off unless set.
  fieldNestingDepth: 0,
  fieldArrayIndexLimit: 0,
};

/**
 * Takes the multipart form: the file of the field `license` goes to the directory under a random name and
 * stands in `req.file`, the text fields in `req.body`. Refuses everything else; what can be told from the
 * headers or the file's name is refused before anything is written.
 */
export function uploadLicense(directory: InstanceDirectory): RequestHandler {
  const storage = multer.diskStorage({
    destination: (_req, _file, done) => {
      directory.ensure().then(
        (path) => {
          done(null, path);
        },
        (error: unknown) => {
          done(error as Error, '');
        },
      );
    },
  });

  return (req, res, next) => {
    if (!req.is('multipart/form-data')) {
      throw new HttpError('not_multipart');
    }
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
    if (req.headers.expect !== undefined) {
      res.writeContinue();
      res.locals.bodyInvited = true;
    }

    // multer answers an error only after the rest of the body has come in, which may be never.
    let answered = false;
    const answer = (error?: unknown) => {
      if (answered) return;
      answered = true;
      next(error);
    };
    const options: MulterOptions = {
      storage,
      limits: LIMITS,
      defParamCharset: 'utf8',
      fileFilter: (_req, file, done) => {
        if (file.fieldname === 'license' && !/\.lic$/i.test(file.originalname)) {
          const error = new HttpError('wrong_file_name');
          answer(error);
          done(error);
          return;
        }
        done(null, true);
      },
      streamHandler: (body, parser) => {
        let received = 0;
        body.on('data', (chunk: Buffer) => {
          received += chunk.length;
          if (received > MAX_BODY_BYTES && !answered) {
            answer(tooLarge());
            parser.destroy(new Error('body too large'));
          }
        });
        body.pipe(parser);
      },
    };
    void multer(options).single('license')(req, res, (error?: unknown) => {
      if (error !== undefined) answer(toHttpError(error));
      else if (!req.file) answer(new HttpError('file_missing'));
      else answer();
    });
  };
}

const tooLarge = () => new HttpError('file_too_large', { values: { bytes: MAX_FILE_BYTES } });

function toHttpError(error: unknown): unknown {
  if (error instanceof multer.MulterError) {
    switch (error.code) {
      case 'LIMIT_FILE_SIZE':
        return tooLarge();
      case 'LIMIT_FILE_COUNT':
      case 'LIMIT_UNEXPECTED_FILE':
        return new HttpError('unexpected_file');
      default:
        return new HttpError('unexpected_field', { detail: error.code });
    }
  }
  // The parser's errors are bare; those of the disk carry the system call.
  if (error instanceof Error && !('syscall' in error)) {
    return new HttpError('malformed_body');
  }
  return error;
}
