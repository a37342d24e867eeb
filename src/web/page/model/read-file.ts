import { readLicenseFile } from '../../../license/file-fields.js';
import { ofClearText } from './facts.js';
import type { OwnProblem } from './problem.js';
import type { FileContent } from './state.js';

const BYTES_PER_MB = 1024 ** 2;

/**
 * What the page itself reads of a file.
 * @param maxBytes the service's limit for one file; what is larger would cost a decode in vain
 */
export async function readFile(file: File, maxBytes: number): Promise<FileContent> {
  if (file.size > maxBytes) {
    const size = Math.floor(maxBytes / BYTES_PER_MB);
    const fingerprint = fingerprintOfText(`${file.size} bytes`);
    return unfit({ key: 'tooLarge', values: { size } }, fingerprint);
  }

  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    const failure = { problem: { key: 'fileGone' }, canRetry: true } as const;
    return { fingerprint: null, clearText: null, failure };
  }

  const fingerprint = fingerprintOf(bytes);
  if (bytes.length === 0) return unfit({ key: 'emptyFile' }, fingerprint);
  return { fingerprint, clearText: clearTextIn(bytes), failure: null };
}

function unfit(problem: OwnProblem, fingerprint: string): FileContent {
  return { fingerprint, clearText: null, failure: { problem, canRetry: false } };
}

/** Any text can have lines with a colon; that of a license has one that is known. */
function clearTextIn(bytes: Uint8Array) {
  const { file } = readLicenseFile(bytes);
  const isLicense = file !== null && Object.values(file).some((value) => value !== null);
  return isLicense ? ofClearText(file) : null;
}

export const fingerprintOfText = (text: string) => fingerprintOf(new TextEncoder().encode(text));

/** Two sums of 32 bits, since `crypto.subtle` exists over HTTPS only: of a million files no two are likely to share it. */
export function fingerprintOf(bytes: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = bytes.length;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(((b << 5) | (b >>> 27)) ^ byte, 0x85ebca6b);
  }
  return hexOf(a) + hexOf(b);
}

const hexOf = (sum: number) => (sum >>> 0).toString(16).padStart(8, '0');
