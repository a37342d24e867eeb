import { FILE_HEAD_BYTES, hasBase64 } from '../../../license/clear-text.js';
import { readLicenseFile } from '../../../license/file-fields.js';
import { ofClearText } from './facts.js';
import type { Failure, OwnProblem } from './problem.js';
import { pathOf, type Content, type RecognizedFile } from './state.js';

const BYTES_PER_MB = 1024 ** 2;

/** How files begin that people take for licenses. `PK` alone says nothing: it may be the first letters of Base64. */
const FOREIGN = [
  { start: '%PDF-', key: 'isPdf' },
  { start: 'PK\x03\x04', key: 'isArchive' },
] as const;

/** A character for each byte. */
const LATIN1 = new TextDecoder('latin1');

/** A file as the user gave it, with the folders above it. */
export interface ChosenFile {
  file: File;
  folder: string;
}

/**
 * Finds out what the page itself can know of a file.
 * @param maxBytes the service's limit for one file; what is larger would cost a decode in vain
 */
export async function recognizeFile({ file, folder }: ChosenFile, maxBytes: number): Promise<RecognizedFile> {
  const listed = { name: file.name, folder, file };
  if (file.size > maxBytes) {
    const megabytes = Math.floor(maxBytes / BYTES_PER_MB);
    const content = unfit({ key: 'tooLarge', values: { size: megabytes } });
    return { ...listed, fingerprint: fingerprintOfUnopened(listed), content };
  }

  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { ...listed, fingerprint: fingerprintOf(bytes), content: contentOf(bytes) };
  } catch {
    const failure: Failure = { problem: { key: 'fileGone' }, canRetry: true };
    const content: Content = { ...UNREAD, status: 'failed', failure };
    return { ...listed, fingerprint: fingerprintOfUnopened(listed), content };
  }
}

/** Stands for the fingerprint of a file whose bytes nobody has seen. No file at another path is the same. */
function fingerprintOfUnopened(file: Omit<RecognizedFile, 'fingerprint' | 'content'>): string {
  const identity = `${pathOf(file)} ${file.file.size} bytes`;
  return fingerprintOf(new TextEncoder().encode(identity));
}

const UNREAD: Content = { clearText: null, status: 'unread', answer: null, failure: null };

const unfit = (problem: OwnProblem): Content => ({
  ...UNREAD,
  status: 'unfit',
  failure: { problem, canRetry: problem.key === 'noBase64' },
});

function contentOf(bytes: Uint8Array): Content {
  if (bytes.length === 0) return unfit({ key: 'emptyFile' });

  const foreign = FOREIGN.find(({ start }) => beginsWith(bytes, start));
  if (foreign) return unfit({ key: foreign.key });

  const clearText = clearTextIn(bytes);
  // It must not spend the limit unless the user knows better what it is.
  const isDoubtful = clearText === null && isProse(bytes) && !hasBase64(bytes);
  return isDoubtful ? unfit({ key: 'noBase64' }) : { ...UNREAD, clearText };
}

function beginsWith(bytes: Uint8Array, start: string): boolean {
  const head = bytes.subarray(0, start.length);
  return LATIN1.decode(head) === start;
}

/** Whether people can read it: words with blanks between them, which Base64 has not. */
function isProse(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, FILE_HEAD_BYTES);
  if (head.some(isControl)) return false;

  const text = LATIN1.decode(head);
  return /\S[ \t]+\S/.test(text);
}

/** Whether no text has this byte: a control character. */
function isControl(byte: number): boolean {
  const isBlankOrLineEnd = byte >= 0x09 && byte <= 0x0d;
  return byte < 0x20 && !isBlankOrLineEnd;
}

/** Any text can have lines with a colon; that of a license has one that is known. */
function clearTextIn(bytes: Uint8Array) {
  const { file } = readLicenseFile(bytes);
  if (file === null) return null;

  const values = Object.values(file);
  const isLicense = values.some((value) => value !== null);
  return isLicense ? ofClearText(file) : null;
}

/** Whether a file says in clear text what licenses say. A private key must not be uploaded, whatever else its file says. */
export function isLicenseText(bytes: Uint8Array): boolean {
  const hasKey = LATIN1.decode(bytes).includes('-----BEGIN');
  return !hasKey && clearTextIn(bytes) !== null;
}

/** The offset basis and the prime of the hash FNV-1a for 32 bits, by Fowler, Noll and Vo (RFC 9923). */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** A multiplier of MurmurHash3, from the final mix of its 32-bit hash. */
const MURMUR_MULTIPLIER = 0x85ebca6b;

/**
 * Two hashes of 32 bits, since `crypto.subtle` exists over HTTPS only. Even of a million files, no two are likely to share
 * both. The first one is FNV-1a. The second one is of our own: it rotates, so that it mixes the bytes in another way.
 */
function fingerprintOf(bytes: Uint8Array): string {
  let fnv = FNV_BASIS;
  let other = bytes.length;
  for (const byte of bytes) {
    fnv = Math.imul(fnv ^ byte, FNV_PRIME);
    const rotated = (other << 5) | (other >>> 27);
    other = Math.imul(rotated ^ byte, MURMUR_MULTIPLIER);
  }
  return hexOf(fnv) + hexOf(other);
}

function hexOf(hash: number): string {
  const unsigned = hash >>> 0;
  return unsigned.toString(16).padStart(8, '0');
}
