import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleOf } from '../../../src/api-docs/building-blocks.js';
import { decodeRequests, perWindow } from '../../../src/errors/amounts.js';
import { catalogEntry, ERROR_CODES, LANGUAGES } from '../../../src/errors/catalog.js';
import { HttpError } from '../../../src/errors/http-error.js';
import { MAX_HEADER_BYTES } from '../../../src/http/server.js';
import { MAX_FILE_BYTES } from '../../../src/license/clear-text.js';

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');

describe('an error', () => {
  it.each(ERROR_CODES)('%s has the same placeholders in both languages, and none is left open', (code) => {
    const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
    const { en, ru } = catalogEntry(code);
    expect(placeholders(ru)).toEqual(placeholders(en));
    for (const language of LANGUAGES) {
      const { error, message } = exampleOf(code).body(language);
      expect(error).toBe(code);
      expect(message).toMatch(/^[^{}]*[.)]$/);
      expect(message).not.toContain('[object');
    }
  });

  it.each(['rate_limited', 'queue_full', 'storage_unavailable', 'shutting_down'] as const)(
    '%s says when to try again',
    (code) => {
      const error = new HttpError(code, { retryAfter: 17 });
      expect(error.retryAfter).toBe(17);
      for (const language of LANGUAGES) expect(error.body(language).message).toMatch(/\b17 (?:seconds|с)/);
    },
  );

  it('says 1 decode request and 1 second, not 1 decode requests and 1 seconds', () => {
    const values = { max: decodeRequests(1), window: perWindow(3600), token: '' };
    const error = new HttpError('rate_limited', { values, retryAfter: 1 });
    expect(error.body('en').message).toBe('Maximum of 1 decode request per hour. Try again in 1 second.');
    expect(error.body('ru').message).toBe('Запросов на чтение — не больше 1 в час. Повторите через 1 с.');
  });

  it.each([
    ['file_too_large', `${MAX_FILE_BYTES} `],
    ['headers_too_large', `${MAX_HEADER_BYTES} `],
  ] as const)('%s names the limit that the service has', (code, bytes) => {
    for (const language of LANGUAGES) expect(catalogEntry(code)[language]).toContain(bytes);
  });

  it('wrong_file_name says how to send a license whose file has another name', () => {
    expect(catalogEntry('wrong_file_name').en).toContain('rename it');
    expect(catalogEntry('wrong_file_name').ru).toContain('переименуйте его');
    for (const language of LANGUAGES) {
      expect(catalogEntry('wrong_file_name')[language]).toContain('filename=license.lic');
    }
  });

  it('has no detail in its body', () => {
    const body = new HttpError('ring_unavailable', { detail: 'for the log' }).body('en');
    expect(Object.keys(body)).toEqual(['error', 'message']);
    expect(JSON.stringify(body)).not.toContain('for the log');
  });
});

describe('docs/errors.md', () => {
  const page = read('docs/errors.md');
  /** Codes that nginx alone answers with. */
  const ofNginx = { service_unreachable: 502 };

  const entries = [...page.matchAll(/^- `(\w+)`, (\d+): \S/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);

  it('has one entry for each code with its status, of the service and of nginx, in that order', () => {
    const codes = ERROR_CODES.map((code) => [code, catalogEntry(code).status]);
    expect(entries).toEqual([...codes, ...Object.entries(ofNginx)]);
  });

  it('has every error that nginx answers itself', () => {
    const answers = [...read('docs/deploy/nginx/nginx.conf').matchAll(/return (\d+) '\{"error":"(\w+)"/g)];
    expect(answers.length).toBeGreaterThan(0);
    for (const [, status, code] of answers) expect(entries).toContainEqual([code, Number(status)]);
  });
});
