import { getEventListeners } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { expect, it, vi } from 'vitest';
import { decodeSignal } from '../../../src/decode/decode-signal.js';
import type { HttpError } from '../../../src/errors/http-error.js';
import { useFakeTime } from '../../support/fake-time.js';

const TIMEOUT_MS = 1_000;

function start({ clientGone = false, aborted = false } = {}) {
  useFakeTime('setTimeout', 'clearTimeout');
  const res = new ServerResponse(new IncomingMessage(new Socket())) as Response;
  const aborting = new AbortController();
  const stop = () => aborting.abort();
  if (clientGone) Object.defineProperty(res, 'closed', { value: true });
  if (aborted) stop();
  const over = decodeSignal(res, TIMEOUT_MS, aborting.signal);
  return { res, aborting, stop, over };
}

it.each<[string, (parts: ReturnType<typeof start>) => unknown, object]>([
  ['its client has gone', ({ res }) => res.emit('close'), { name: 'AbortError' }],
  ['it takes too long', () => vi.advanceTimersByTime(TIMEOUT_MS), { code: 'decode_timeout' }],
  ['the service stops', ({ stop }) => stop(), { code: 'shutting_down' }],
])('a decode is aborted when %s', (_title, cause, reason) => {
  const parts = start();
  expect(parts.over.signal.aborted).toBe(false);
  cause(parts);
  expect(parts.over.signal.reason).toMatchObject(reason);
});

it('a time-out of one second is told as 1 second', () => {
  const { over } = start();
  vi.advanceTimersByTime(TIMEOUT_MS);
  const { message } = (over.signal.reason as HttpError).body('en');
  expect(message).toContain('longer than 1 second,');
});

it.each([{ clientGone: true }, { aborted: true }])('a decode does not begin with %o', (state) => {
  expect(start(state).over.signal.aborted).toBe(true);
});

it('a decode that is over keeps no timer and no listener', () => {
  const { res, aborting, over } = start();
  over[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  expect(res.listenerCount('close')).toBe(0);
  expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
});
