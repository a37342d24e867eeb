import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import { HttpError } from '../errors/http-error.js';
import { onBroken } from '../http/broken-request.js';
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

/** A file that is stored. */
type StoredFile = Pick<Express.Multer.File, 'path' | 'size'>;

/** busboy, as multer hands it out. */
type Parser = NodeJS.WritableStream & { destroy(error: Error): void };

/** multer's options, with one that its type declarations lack. */
type MulterOptions = multer.Options & {
  streamHandler: (body: NodeJS.ReadableStream, parser: Parser) => void;
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
 * puts the text fields into `req.body`. Refuses everything else as early as possible, after it has removed the file.
 * @param aborting aborts when the service stops and can no longer wait for uploads
 */
export function uploadLicense(files: TemporaryStorage, aborting: AbortSignal): RequestHandler {
  return (req, res, next) => {
    if (aborting.aborted) throw new HttpError('shutting_down');
    refuseByHeaders(req);
    new Upload(req, files, aborting, next).start(res);
  };
}

/**
 * The form of one request while it arrives. multer takes it apart, and calls {@link filterFile} and {@link handleFile} for
 * the file and {@link onFormTaken} at the end. But multer reports an error only after the whole body, which may never
 * arrive, so {@link giveUp} refuses the form before that. Whichever comes first hands the request on.
 */
class Upload {
  private readonly fields = new FormFields();
  private parser: Parser | undefined;
  private receivedBytes = 0;
  /** Where the file is written, once that has begun. */
  private path: string | undefined;
  private storing: Promise<StoredFile> | undefined;
  /** Whether the request was handed on. */
  private isOver = false;

  constructor(
    private readonly req: Request,
    private readonly files: TemporaryStorage,
    private readonly aborting: AbortSignal,
    private readonly next: NextFunction,
  ) {}

  start(res: Response): void {
    const options: MulterOptions = {
      storage: {
        _handleFile: (_req, file, done) => this.handleFile(file.stream, done),
        // multer forgets a file that it could not write whole, so the end of the upload removes it instead.
        _removeFile: (_req, _file, done) => done(null),
      },
      limits: LIMITS,
      defParamCharset: 'utf8',
      fileFilter: (_req, file, done) => this.filterFile(file, done),
      streamHandler: (body, parser) => this.read(body, parser),
    };
    const takeForm = multer(options).single('license');
    void takeForm(this.req, res, (error?: unknown) => this.onFormTaken(error));
  }

  private read(body: NodeJS.ReadableStream, parser: Parser): void {
    this.parser = parser;
    // Before multer's own listener, which would refuse some of these names without saying which.
    parser.prependListener('field', (name: string | undefined) => this.takeField(name ?? ''));
    body.on('data', (chunk: Buffer) => this.count(chunk));
    body.pipe(parser);

    onBroken(this.req, (error) => this.giveUp(error));
    this.aborting.addEventListener('abort', this.onAborting);
  }

  private takeField(name: string): void {
    const error = this.fields.add(name);
    if (error) this.giveUp(error);
  }

  private count(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > MAX_BODY_BYTES) this.giveUp(new HttpError('file_too_large'));
  }

  private readonly onAborting = () => this.giveUp(new HttpError('shutting_down'));

  private filterFile(file: Express.Multer.File, done: multer.FileFilterCallback): void {
    // The rest of a form that was refused is still parsed, up to the end of its segment.
    if (this.isOver) {
      done(null, false);
      return;
    }

    const error = this.faultOf(file);
    if (error) this.giveUp(error);
    const isTaken = error === undefined;
    done(null, isTaken);
  }

  /** Why a file is not taken; undefined when it is. */
  private faultOf({ originalname, fieldname }: Express.Multer.File): HttpError | undefined {
    const hasLicenseName = /\.lic$/i.test(originalname);
    if (!hasLicenseName) return new HttpError('wrong_file_name');
    return this.fields.add(fieldname);
  }

  private handleFile(content: Readable, done: (error?: unknown, stored?: StoredFile) => void): void {
    this.storing = this.store(content);
    this.storing.then((stored) => done(null, stored), done);
  }

  private async store(content: Readable): Promise<StoredFile> {
    const path = await this.files.newUpload();
    this.path = path;

    const file = createWriteStream(path);
    await pipeline(content, file);
    return { path, size: file.bytesWritten };
  }

  private onFormTaken(error: unknown): void {
    const hasFile = this.req.file !== undefined;
    if (error !== undefined) {
      void this.end(errorForCaller(error));
    } else if (hasFile) {
      void this.end();
    } else {
      void this.end(new HttpError('file_missing'));
    }
  }

  /** Refuses the form before multer does. */
  private giveUp(error: HttpError): void {
    if (this.isOver) return;
    void this.end(error);
    this.parser?.destroy(error);
  }

  /** Hands the request on. After an error, its file is removed first. Only the first call counts. */
  private async end(error?: unknown): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    this.aborting.removeEventListener('abort', this.onAborting);

    // The file may not have been created yet. To remove it now would leave the one that is created afterwards.
    if (this.storing) await Promise.allSettled([this.storing]);

    const isRefused = error !== undefined;
    if (isRefused && this.path !== undefined) await removeFiles(this.path, this.req.log);
    this.next(error);
  }
}

/** @throws {HttpError} when the headers tell that the body cannot be a form with a license */
function refuseByHeaders(req: Request): void {
  if (!req.is('multipart/form-data')) throw new HttpError('not_multipart');

  const length = Number(req.headers['content-length'] ?? 0);
  if (length > MAX_BODY_BYTES) throw new HttpError('file_too_large');

  const type = req.headers['content-type'] ?? '';
  if (type.length > MAX_CONTENT_TYPE_LENGTH) throw new HttpError('malformed_body');

  const match = /boundary="?([^";]*)/i.exec(type);
  const boundary = match?.[1] ?? '';
  if (boundary.length > MAX_BOUNDARY_LENGTH) throw new HttpError('malformed_body');
}

/** Turns an error of multer into the error for the caller. An error of the file system stays as it is. */
function errorForCaller(error: unknown): unknown {
  if (error instanceof multer.MulterError) return fromMulterError(error);
  if (error instanceof HttpError) return error;
  if (!(error instanceof Error)) return error;

  // Errors of the file system have the name of the system call. All others here are bare errors of busboy.
  const isOfFileSystem = 'syscall' in error;
  return isOfFileSystem ? error : new HttpError('malformed_body');
}

function fromMulterError({ code, field }: multer.MulterError): HttpError {
  switch (code) {
    case 'LIMIT_FILE_SIZE':
      return new HttpError('file_too_large');
    case 'LIMIT_FILE_COUNT':
    case 'LIMIT_UNEXPECTED_FILE':
      return new HttpError('unexpected_file');
    case 'LIMIT_FIELD_VALUE':
      // Without a file name in its part, the file is a text field, and too long for one.
      if (field === 'license') return new HttpError('file_missing');
      return unexpectedField(field ?? '', code);
    default:
      return unexpectedField(field ?? '', code);
  }
}
