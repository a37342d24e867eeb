import { expect, it } from 'vitest';
import { decodeRequests, perWindow, seconds } from '../../../src/errors/amounts.js';

it.each([
  [0, '0 decode requests', '0 запросов'],
  [1, '1 decode request', '1 запроса'],
  [2, '2 decode requests', '2 запросов'],
  [11, '11 decode requests', '11 запросов'],
  [21, '21 decode requests', '21 запроса'],
])('%i decode requests in words', (count, en, ru) => {
  expect(decodeRequests(count)).toEqual({ en, ru });
});

it.each([
  [1, '1 second', '1 с'],
  [3598, '3598 seconds', '3598 с'],
])('%i seconds in words', (count, en, ru) => {
  expect(seconds(count)).toEqual({ en, ru });
});

it.each([
  [1, 'in 1 second', 'за 1 с'],
  [600, 'in 600 seconds', 'за 600 с'],
  [3600, 'per hour', 'в час'],
  [86_400, 'in 86400 seconds', 'за 86400 с'],
])('a window of %i seconds in words', (windowSeconds, en, ru) => {
  expect(perWindow(windowSeconds)).toEqual({ en, ru });
});
