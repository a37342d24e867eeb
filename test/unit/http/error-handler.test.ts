import { createServer } from 'node:http';
import express from 'express';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HttpError } from '../../../src/errors/http-error.js';
import { answerTo, errorHandler } from '../../../src/http/error-handler.js';
import { requestLog } from '../../../src/http/request-log.js';
import { recordedLog } from '../../support/recorded-log.js';
import { listenAnywhere } from '../../support/servers.js';
import { until } from '../../support/until.js';

const withFields = (fields: object) => Object.assign(new Error('/tmp/secret'), fields);

describe('answerTo', () => {
  it.each<[string, unknown, string]>([
    ['a precondition that a static file fails', withFields({ status: 412 }), 'bad_request'],
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

it('an error after the head of an answer is logged once, not printed, and breaks the connection', async () => {
  const { log, lines } = recordedLog();
  // In tests Express prints nothing.
  const app = express().set('env', 'production').use(requestLog(log));
  app.get('/healthz', (_req, res) => {
    res.write('begun');
    throw new Error('outer', { cause: new Error('inner') });
  });
  app.use(errorHandler);
  const port = await listenAnywhere(createServer(app));
  const stderr = vi.spyOn(console, 'error');
  onTestFinished(() => stderr.mockRestore());
  const answer = fetch(`http://127.0.0.1:${port}/healthz`);
  await expect(answer.then((response) => response.text())).rejects.toThrow();
  await until(() => lines.length > 0);
  expect(lines).toMatchObject([{ level: 40, code: 'internal_error', err: { message: 'outer' } }]);
  expect(stderr).not.toHaveBeenCalled();
});
