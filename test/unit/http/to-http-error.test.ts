import { MulterError } from 'multer';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/errors/http-error.js';
import { toHttpError } from '../../../src/http/to-http-error.js';
import { RingUnavailableError, UndecodableError } from '../../../src/ring/commands.js';
import { RunError } from '../../../src/ring/run.js';

const withFields = (fields: object) => Object.assign(new Error('/tmp/secret'), fields);
const deadline = new HttpError('decode_timeout', { values: { seconds: 55 } });

describe('toHttpError', () => {
  it.each<[string, unknown, string]>([
    ['a file that ring cannot decode', new UndecodableError('x'), 'license_undecodable'],
    ['a ring that cannot run', new RingUnavailableError('x'), 'ring_unavailable'],
    ['a run that takes too long', new RunError('timed_out', 'x'), 'ring_timeout'],
    ['a run aborted by the deadline', new RunError('aborted', 'x', { cause: deadline }), 'decode_timeout'],
    ['a run aborted without a reason', new RunError('aborted', 'x'), 'internal_error'],
    ['a file that is too large', new MulterError('LIMIT_FILE_SIZE'), 'file_too_large'],
    ['too many files', new MulterError('LIMIT_FILE_COUNT'), 'unexpected_file'],
    ['a file in another field', new MulterError('LIMIT_UNEXPECTED_FILE'), 'unexpected_file'],
    ['too many fields', new MulterError('LIMIT_FIELD_COUNT'), 'unexpected_field'],
    ['a field name that is too long', new MulterError('LIMIT_FIELD_KEY'), 'unexpected_field'],
    ['a path that cannot be decoded', withFields({ status: 400 }), 'bad_request'],
    ['a full disk', withFields({ code: 'ENOSPC', syscall: 'write' }), 'storage_unavailable'],
    ['too many open files', withFields({ code: 'EMFILE', syscall: 'open' }), 'storage_unavailable'],
    ['a directory that is gone', withFields({ code: 'ENOENT', syscall: 'open' }), 'storage_unavailable'],
    ['any other error', new TypeError('x is undefined'), 'internal_error'],
    ['a range beyond a static file', withFields({ status: 416 }), 'bad_request'],
    ['an error of another library', withFields({ code: 'E_OTHER', status: 500 }), 'internal_error'],
    ['a thrown text', 'boom', 'internal_error'],
    ['a thrown null', null, 'internal_error'],
  ])('answers %s', (_title, error, code) => {
    const mapped = toHttpError(error);
    expect(mapped.code).toBe(code);
    expect(mapped.body('en').message).not.toMatch(/[{}]|\/tmp/);
  });

  it('leaves an HttpError as it is', () => expect(toHttpError(deadline)).toBe(deadline));
});
