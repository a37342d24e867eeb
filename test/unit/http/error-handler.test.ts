import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/errors/http-error.js';
import { answerTo } from '../../../src/http/error-handler.js';

const withFields = (fields: object) => Object.assign(new Error('/tmp/secret'), fields);

describe('answerTo', () => {
  it.each<[string, unknown, string]>([
    ['a path that cannot be decoded', withFields({ status: 400 }), 'bad_request'],
    ['a range beyond a static file', withFields({ status: 416 }), 'bad_request'],
    ['a full disk', withFields({ code: 'ENOSPC', syscall: 'write' }), 'storage_unavailable'],
    ['a directory that is gone', withFields({ code: 'ENOENT', syscall: 'open' }), 'storage_unavailable'],
    ['any other error', new TypeError('x is undefined'), 'internal_error'],
    ['an error of another library', withFields({ code: 'E_OTHER', status: 500 }), 'internal_error'],
    ['a thrown null', null, 'internal_error'],
  ])('answers %s', (_title, error, code) => {
    const mapped = answerTo(error);
    expect(mapped.code).toBe(code);
    expect(mapped.body('en').message).not.toMatch(/[{}]|\/tmp/);
  });

  it('leaves an HttpError as it is', () => {
    const error = new HttpError('queue_full');
    expect(answerTo(error)).toBe(error);
  });
});
