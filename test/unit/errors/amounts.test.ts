import { expect, it } from 'vitest';
import { decodes, perWindow, seconds } from '../../../src/errors/amounts.js';

it.each([
  [0, '0 decodes', '0 файлов'],
  [1, '1 decode', '1 файл'],
  [2, '2 decodes', '2 файла'],
  [5, '5 decodes', '5 файлов'],
  [11, '11 decodes', '11 файлов'],
  [21, '21 decodes', '21 файл'],
  [1000, '1000 decodes', '1000 файлов'],
])('%i decodes in words', (count, en, ru) => {
  expect(decodes(count)).toEqual({ en, ru });
});

it.each([
  [1, '1 second', '1 с'],
  [60, '60 seconds', '60 с'],
])('%i seconds in words', (count, en, ru) => {
  expect(seconds(count)).toEqual({ en, ru });
});

it.each([
  [1, 'in 1 second', 'за 1 с'],
  [60, 'in 60 seconds', 'за 60 с'],
  [3600, 'per hour', 'в час'],
])('a window of %i seconds in words', (windowSeconds, en, ru) => {
  expect(perWindow(windowSeconds)).toEqual({ en, ru });
});
