import { readLicenseFile } from '../../../license/file-fields.js';
import { ofClearText } from './facts.js';
import type { Content } from './license.js';
import type { Failure } from './problem.js';

const BYTES_PER_MB = 1024 ** 2;

/**
 * What the page itself reads of a file.
 * @param maxBytes the service's limit for one file; what is larger would cost a decode in vain
 */
export async function readFile(file: File, maxBytes: number): Promise<Content> {
  if (file.size > maxBytes) {
    const size = Math.floor(maxBytes / BYTES_PER_MB);
    const problem = { key: 'tooLarge', values: { size } } as const;
    return failed(
      { problem, canRetry: false },
      fingerprintOf(new TextEncoder().encode(`${file.size} bytes`)),
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return failed({ problem: { key: 'fileGone' }, canRetry: true });
  }
  const fingerprint = fingerprintOf(bytes);
  if (bytes.length === 0) return failed({ problem: { key: 'emptyFile' }, canRetry: false }, fingerprint);
  const { file: text } = readLicenseFile(bytes);
  // Any text can have lines with a colon; that of a license has one that is known.
  const isLicense = text !== null && Object.values(text).some((value) => value !== null);
  return { sources: isLicense ? [ofClearText(text)] : [], fingerprint };
}

const failed = (failure: Failure, fingerprint: string | null = null): Content => ({
  sources: [],
  failure,
  fingerprint,
});

/** Two sums of 32 bits, since `crypto.subtle` exists over HTTPS only: of a million files no two are likely to share it. */
export function fingerprintOf(bytes: Uint8Array): string {
  let [a, b] = [0x811c9dc5, bytes.length];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(((b << 5) | (b >>> 27)) ^ byte, 0x85ebca6b);
  }
  return [a, b].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}
