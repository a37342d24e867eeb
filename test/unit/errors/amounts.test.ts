import { expect, it } from 'vitest';
import { decodes, duration, megabytes, perWindow, waitingTime } from '../../../src/errors/amounts.js';

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

it('bytes in whole megabytes', () => {
  expect(megabytes(5_242_880)).toEqual({ en: '5 MB', ru: '5 МБ' });
});

it.each([
  [1, '1 second', '1 с'],
  [60, '60 seconds', '60 с'],
  [119, '119 seconds', '119 с'],
  [120, '2 minutes', '2 мин'],
  [150, '2 minutes 30 seconds', '2 мин 30 с'],
  [3600, '1 hour', '1 ч'],
  [7260, '2 hours 1 minute', '2 ч 1 мин'],
  [86_400, '24 hours', '24 ч'],
])('%i seconds in words', (count, en, ru) => {
  expect(duration(count)).toEqual({ en, ru });
});

it.each([
  [1, '1 second', '1 с'],
  [119, '119 seconds', '119 с'],
  [121, '3 minutes', '3 мин'],
  [1800, '30 minutes', '30 мин'],
  [3599, '1 hour', '1 ч'],
  [3601, '1 hour 1 minute', '1 ч 1 мин'],
])('a wait of %i seconds in words, never shorter than it is', (count, en, ru) => {
  expect(waitingTime(count)).toEqual({ en, ru });
});

it.each([
  [1, 'in 1 second', 'за 1 с'],
  [60, 'in 60 seconds', 'за 60 с'],
  [3600, 'per hour', 'в час'],
  [86_400, 'in 24 hours', 'за 24 ч'],
])('a window of %i seconds in words', (windowSeconds, en, ru) => {
  expect(perWindow(windowSeconds)).toEqual({ en, ru });
});
