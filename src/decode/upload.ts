import { createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import { HttpError } from '../errors/http-error.js';
import { onBroken } from '../http/broken-request.js';
import { MAX_FILE_BYTES } from '../license/clear-text.js';
import type { TemporaryStorage } from '../storage/temporary-storage.js';
import { removeFiles } from './workspace.js';

/** Largest request: the file, and room for the multipart framing and the headers of its parts. */
const MAX_BODY_BYTES = MAX_FILE_BYTES + 65_536;
/** Longest multipart boundary (RFC 2046, section 5.1.1). */
const MAX_BOUNDARY_LENGTH = 70;
/** The parameter `boundary` of a Content-Type: its value in quotes, or without. */
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"\\]+)"|([^";\\]+))/i;

/** Longest name of a text field, in bytes. */
const MAX_FIELD_NAME_BYTES = 256;
/** Text fields of a form. Those other than the two options are ignored, because tools and HTML forms add some of their own. */
const MAX_FIELDS = 32;

/** What some text writers put in front of a form: U+FEFF in UTF-8. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
/** A line of as many bytes. */
const IGNORED_LINE = ' \r\n';

/** What a form asks for besides the decode itself. */
export interface DecodeOptions {
  detailed: boolean;
  structured: boolean;
}

/** A file that is stored. */
type StoredFile = Pick<Express.Multer.File, 'path' | 'size'>;

/** What busboy tells about a text field besides its name and value. */
interface FieldInfo {
  valueTruncated: boolean;
}

/** multer's options, with one that its type declarations lack. */
type MulterOptions = multer.Options & {
  /** The parser is busboy. */
  streamHandler: (body: Readable, parser: Writable) => void;
};

const LIMITS = {
  fileSize: MAX_FILE_BYTES,
  files: 1,
  fields: MAX_FIELDS,
  parts: MAX_FIELDS + 1,
  /** Bytes of a text field's value. */
  fieldSize: 16_384,
  headerPairs: 20,
};

/**
 * Takes the multipart form: writes the file of the field `license` to the storage and describes it in `req.file`,
 * and puts the {@link DecodeOptions} into `req.body`. Other text fields are ignored. Everything else is refused as early as
 * possible, after the file was removed.
 * @param aborting aborts when the service stops and can no longer wait for uploads
 */
export function uploadLicense(files: TemporaryStorage, aborting: AbortSignal): RequestHandler {
  return (req, res, next) => {
    if (aborting.aborted) throw new HttpError('shutting_down');
    refuseByHeaders(req);
    quoteBoundary(req);
    new Upload(req, files, aborting, next).start(res);
  };
}

/**
 * The form of one request while it arrives. multer takes it apart, and calls {@link filterFile} and {@link handleFile} for
 * the file and {@link onFormTaken} at the end. But multer reports an error only after the whole body, which may never
 * arrive, so {@link giveUp} refuses the form before that. Whichever comes first hands the request on.
 */
class Upload {
  private readonly options: DecodeOptions = { detailed: false, structured: false };
  private parser: Writable | undefined;
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

  private read(body: Readable, parser: Writable): void {
    this.parser = parser;
    // multer's own listener makes objects and arrays of names such as a[b][c] and a[9999999999], which has ended and
    // blocked processes (CVE-2026-77078, CVE-2026-82333, CVE-2026-5079). This one knows two names.
    parser.removeAllListeners('field');
    parser.on('field', (name: string | undefined, value: string, info: FieldInfo) =>
      this.takeField(name ?? '', value, info),
    );
    body.on('data', (chunk: Buffer) => this.beforeParser(chunk));
    body.pipe(parser);

    onBroken(this.req, (error) => this.giveUp(error));
    this.aborting.addEventListener('abort', this.onAborting);
  }

  private takeField(name: string, value: string, { valueTruncated }: FieldInfo): void {
    if (valueTruncated || Buffer.byteLength(name) > MAX_FIELD_NAME_BYTES) {
      // Without a file name in its part, the license is a text field, and too long for one.
      const code = name === 'license' ? 'file_missing' : 'malformed_body';
      this.giveUp(new HttpError(code));
      return;
    }

    // A checkbox of an HTML form often comes with a hidden field of the same name, so one `true` among the values counts.
    if (value !== 'true') return;
    if (name === 'detailed') this.options.detailed = true;
    if (name === 'structured') this.options.structured = true;
  }

  private beforeParser(chunk: Buffer): void {
    ignoreMark(chunk, this.receivedBytes);
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

    const hasLicenseName = /\.lic$/i.test(file.originalname);
    if (!hasLicenseName) this.giveUp(new HttpError('wrong_file_name'));
    done(null, hasLicenseName);
  }

  private handleFile(content: Readable, done: (error?: unknown, stored?: StoredFile) => void): void {
    this.storing = this.store(content);
    this.storing.then(
      (stored) => done(null, stored),
      (error: unknown) => {
        // multer would wait for the rest of the body.
        this.giveUp(errorForCaller(error));
        done(error);
      },
    );
  }

  private async store(content: Readable): Promise<StoredFile> {
    const path = await this.files.newUpload();
    this.path = path;

    const file = createWriteStream(path);
    await pipeline(content, file);
    return { path, size: file.bytesWritten };
  }

  private onFormTaken(error: unknown): void {
    this.req.body = this.options;
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
  private giveUp(error: Error): void {
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

  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new HttpError('body_compressed');

  const length = Number(req.headers['content-length'] ?? 0);
  if (length > MAX_BODY_BYTES) throw new HttpError('file_too_large');
}

/**
 * Puts the boundary of the form into quotes. Without them multer would skip a form whose boundary has a `/` or `=`, as some
 * clients write it, or whose Content-Type ends in a semicolon.
 * @throws {HttpError} when there is no boundary, or one that is too long
 */
function quoteBoundary({ headers }: Request): void {
  const match = BOUNDARY.exec(headers['content-type'] ?? '');
  const boundary = match?.[1] ?? match?.[2]?.trim() ?? '';
  if (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) throw new HttpError('malformed_body');

  headers['content-type'] = `multipart/form-data; boundary="${boundary}"`;
}

/**
 * Turns a byte order mark at the beginning of a body into a line of its own, because the parser ignores all lines before
 * the first boundary. In front of a boundary it would hide the first part.
 * @param position of the chunk in the body
 */
function ignoreMark(chunk: Buffer, position: number): void {
  for (let i = position; i < BYTE_ORDER_MARK.length; i++) {
    const isOfMark = chunk[i - position] === BYTE_ORDER_MARK[i];
    if (isOfMark) chunk[i - position] = IGNORED_LINE.charCodeAt(i);
  }
}

/** Turns an error of multer into the error for the caller. An error of the file system stays as it is. */
function errorForCaller(error: unknown): Error {
  if (error instanceof multer.MulterError) return fromMulterError(error);
  if (error instanceof HttpError) return error;

  // Errors of the file system have the name of the system call. All others here are bare errors of busboy.
  const isOfFileSystem = error instanceof Error && 'syscall' in error;
  if (isOfFileSystem) return error;
  return new HttpError('malformed_body');
}

function fromMulterError({ code }: multer.MulterError): HttpError {
  switch (code) {
    case 'LIMIT_FILE_SIZE':
      return new HttpError('file_too_large');
    case 'LIMIT_FILE_COUNT':
    case 'LIMIT_UNEXPECTED_FILE':
    case 'MISSING_FIELD_NAME':
      return new HttpError('unexpected_file');
    default:
      return new HttpError('malformed_body', { detail: code });
  }
}
