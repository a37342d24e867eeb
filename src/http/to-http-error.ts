import { MulterError } from 'multer';
import { MAX_FILE_BYTES } from '../decode/upload.js';
import { RingUnavailableError, UndecodableError } from '../ring/commands.js';
import { RunError } from '../ring/run.js';
import { HttpError } from '../errors/http-error.js';

/** The file system is full, read-only or gone, or the process has too many open files (errno(3)). */
const STORAGE_ERRORS = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EIO',
  'EMFILE',
  'ENFILE',
]);

/** Maps every error of the service and its libraries to the one the caller gets; `internal_error` where none fits. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof UndecodableError)
    return new HttpError('license_undecodable', { detail: error.message });
  if (error instanceof RingUnavailableError)
    return new HttpError('ring_unavailable', { detail: error.message });
  if (error instanceof RunError) return fromRunError(error);
  if (error instanceof MulterError) return fromMulterError(error);
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  // Express and send report faults of a request by status: 400 for /%zz, 412 and 416 for headers of a static file.
  if (typeof status === 'number' && status >= 400 && status < 500) return new HttpError('bad_request');
  if (typeof code === 'string' && STORAGE_ERRORS.has(code)) {
    return new HttpError('storage_unavailable', { detail: code });
  }
  return new HttpError('internal_error');
}

function fromRunError(error: RunError): HttpError {
  if (error.reason === 'timed_out') return new HttpError('ring_timeout', { detail: error.message });
  // The deadline and the shutdown abort a decode with the error that its caller gets.
  return error.cause instanceof HttpError ? error.cause : new HttpError('internal_error');
}

function fromMulterError({ code, field }: MulterError): HttpError {
  // Without a file name in its part, the file is a text field, and too long for one.
  if (code === 'LIMIT_FIELD_VALUE' && field === 'license') return new HttpError('file_missing');
  switch (code) {
    case 'LIMIT_FILE_SIZE':
      return new HttpError('file_too_large', { values: { bytes: MAX_FILE_BYTES } });
    case 'LIMIT_FILE_COUNT':
    case 'LIMIT_UNEXPECTED_FILE':
      return new HttpError('unexpected_file');
    default:
      return new HttpError('unexpected_field', { detail: code });
  }
}
