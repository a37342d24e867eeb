import { expect, it } from 'vitest';
import { readableAt } from '../../../src/web/page/waiting-time.js';

const HOUR = 3_600_000;

it.each([
  ['60 files from the start', 60, { limit: 3, remaining: 3, resetAt: 0 }, 19],
  ['57 files when the limit has just been reached', 57, { limit: 3, remaining: 0, resetAt: HOUR }, 19],
  ['57 files half an hour later', 57, { limit: 3, remaining: 0, resetAt: HOUR / 2 }, 18.5],
  ['what is left of the limit', 2, { limit: 3, remaining: 2, resetAt: HOUR }, 0],
  ['one more than is left', 3, { limit: 3, remaining: 2, resetAt: HOUR }, 1],
  ['no file', 0, { limit: 3, remaining: 0, resetAt: HOUR }, 0],
  ['a limit of 0', 1, { limit: 0, remaining: 0, resetAt: 0 }, Infinity],
])('%s', (_case, files, quota, hours) => expect(readableAt(files, quota, 3600, 0)).toBe(hours * HOUR));
