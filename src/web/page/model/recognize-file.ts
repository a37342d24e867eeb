import { readLicenseFile } from '../../../license/file-fields.js';
import { ofClearText, type Facts } from './facts.js';
import type { LeftOutFile, RecognizedFile } from './state.js';

/** A character for each byte. */
const LATIN1 = new TextDecoder('latin1');

/** A file as the user gave it, with the folders above it. */
export interface ChosenFile {
  file: File;
  folder: string;
}

/**
 * Opens a file and finds out what the page itself can know of it.
 * @param maxBytes the service's limit for one file
 * @returns why the file is left out of the list, if the service would refuse it: that would cost a decode in vain
 */
export async function recognizeFile(
  { file, folder }: ChosenFile,
  maxBytes: number,
): Promise<RecognizedFile | LeftOutFile> {
  const { name, size } = file;
  if (size === 0) return { name, reason: 'empty' };
  if (size > maxBytes) return { name, reason: 'tooLarge' };

  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) return { name, reason: 'unreadable' };

  const bytes = new Uint8Array(buffer);
  const text = LATIN1.decode(bytes);
  if (text.startsWith('%PDF-')) return { name, reason: 'pdf' };
  // `PK` alone says nothing: it may be the first letters of Base64.
  if (text.startsWith('PK\x03\x04')) return { name, reason: 'archive' };
  // A private key must not be uploaded, whatever else its file says.
  if (PRIVATE_KEY.test(text)) return { name, reason: 'privateKey' };

  const clearText = clearTextIn(bytes);
  const isOther = OTHERS.some((other) => other.test(text));
  if (clearText === null && isOther) return { name, reason: 'notLicense' };

  const isUnlikely = clearText === null && !PERMIT_LINE.test(text);
  const fingerprint = fingerprintOf(bytes);
  return { name, folder, fingerprint, clearText, isUnlikely, bytes: new Blob([bytes]) };
}

const PRIVATE_KEY = /-----BEGIN [\w ]*PRIVATE KEY/;

/** What is surely no license of 1C: a web page, a certificate or a key, and a license for FlexNet, which other programs use. */
const OTHERS = [
  /^(?:\xEF\xBB\xBF)?\s*<(?:!doctype html|html)\b/i,
  /-----BEGIN [\w ]*(?:CERTIFICATE|KEY)/,
  /^(?:(?:FEATURE|INCREMENT)(?:[ \t]+\S+){3}|SERVER(?:[ \t]+\S+){2})/m,
];

/** A line of the encrypted part of a license, as Base64. Shorter ones may be words. */
const PERMIT_LINE = /^[ \t]*[A-Za-z0-9+/]{40,}={0,2}:?[ \t]*$/m;

/** Any text can have lines with a colon; that of a license has one that is known. */
function clearTextIn(bytes: Uint8Array): Facts | null {
  const { file } = readLicenseFile(bytes);
  if (file === null) return null;

  const values = Object.values(file);
  const isLicense = values.some((value) => value !== null);
  return isLicense ? ofClearText(file) : null;
}

/** Whether a file says in clear text what licenses say. */
export const isLicenseText = (bytes: Uint8Array) => clearTextIn(bytes) !== null;

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
