import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/*
 * The form of the demo's licence files. It is made up: it resembles a real licence file only in being
 * Base64 text with clear-text lines after it. Nothing here can open a real licence, and no real ring can
 * open a file of this form.
 */

const CIPHER = 'aes-256-gcm';
/** Anybody may read it here, so it protects nothing; it only keeps the samples from being plain text. */
const DEMO_KEY = createHash('sha256').update('demo key of the ring stand-in, not a secret').digest();
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Columns of a Base64 line (RFC 2045, section 6.8). */
const COLUMNS = 76;

/**
 * Makes the text of a demo licence file: the encrypted permit in Base64, then the clear-text lines.
 * The same permit gives the same text, so that sealing the samples again changes no file.
 * @param {object} permit see samples.json
 * @param {Record<string, string>} clearText
 * @returns {string}
 */
export function sealPermit(permit, clearText) {
  const plain = Buffer.from(JSON.stringify(permit));
  const iv = createHash('sha256').update(plain).digest().subarray(0, IV_BYTES);
  const cipher = createCipheriv(CIPHER, DEMO_KEY, iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const base64 = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? [];
  const clear = Object.entries(clearText).map(([key, value]) => `${key}: ${value}`);
  return [...lines, ...clear, ''].join('\n');
}

/**
 * Reads the permit of a demo licence file.
 * @param {string} text
 * @returns {object} see samples.json
 * @throws {Error} when the text is anything else, a real licence for one, or was changed
 */
export function openPermit(text) {
  const lines = text.split(/\r?\n/);
  const end = lines.findIndex((line) => !/^[A-Za-z0-9+/]+=*$/.test(line));
  const bytes = Buffer.from(lines.slice(0, end === -1 ? undefined : end).join(''), 'base64');
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, DEMO_KEY, iv, { authTagLength: TAG_BYTES }).setAuthTag(tag);
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(plain.toString());
}
