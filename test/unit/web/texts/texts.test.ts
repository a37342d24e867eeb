import { expect, it } from 'vitest';
import { FRAME_TEXTS } from '../../../../src/web/page/texts/frame-texts.js';
import { LICENSE_TEXTS } from '../../../../src/web/page/texts/license-texts.js';
import { LIST_TEXTS } from '../../../../src/web/page/texts/list-texts.js';
import { SERVICE_PROBLEM_TEXTS } from '../../../../src/web/page/texts/problem-texts.js';
import { textsIn, type TextKey } from '../../../../src/web/page/texts/texts.js';

it.each([
  ['ru', 1, '1 файл'],
  ['ru', 2, '2 файла'],
  ['ru', 1465, '1\u00A0465 файлов'],
  ['en', 1, '1 file'],
  ['en', 1465, '1,465 files'],
] as const)('%s has the form that %i asks for', (language, count, expected) =>
  expect(textsIn(language)('fileCount', { count })).toBe(expected),
);

it('a text keeps a placeholder without a value', () => {
  expect(textsIn('en')('limitLeft', { limit: 2 })).toBe('Limit: {remaining} of 2 left');
});

const TEXTS = { ...FRAME_TEXTS, ...LIST_TEXTS, ...LICENSE_TEXTS, ...SERVICE_PROBLEM_TEXTS };
const NUMBERS = [1, 2, 5, 21, 101];
/** What stands for a word; everything else is a number. */
const WORDS = new Set([
  'name',
  'text',
  'date',
  'time',
  'wait',
  'path',
  'pin',
  'version',
  'window',
  'status',
  'orToken',
  'produced',
  'term',
  'reason',
]);
const FORMS = { en: 2, ru: 3 };

/** The placeholders of a text for which numbers stand, and the forms that depend on them. */
function numbersIn(text: string) {
  const placeholders = [...text.matchAll(/\{(\w+)(?:\|([^}]*))?\}/g)];
  const forms = placeholders.flatMap(([, , forms]) => (forms === undefined ? [] : [forms.split('|')]));
  const names = placeholders.map(([, name = '']) => name).filter((name) => !WORDS.has(name));
  return { names, forms };
}

/** Texts that never have some numbers, because there is another text for them. */
const LEAST: Partial<Record<string, number>> = {
  readUrgent: 2,
  readingFiles: 2,
  unreadPart: 2,
  licensesInFiles: 2,
  expiring: 2,
};

it('each text with a number is right for each number', async () => {
  const lines: string[] = [];
  for (const [key, text] of Object.entries(TEXTS)) {
    for (const language of ['en', 'ru'] as const) {
      const { names, forms } = numbersIn(text[language]);
      for (const each of forms) expect(each, `forms of ${key} in ${language}`).toHaveLength(FORMS[language]);
      if (names.length === 0) continue;

      const numbers = NUMBERS.filter((number) => number >= (LEAST[key] ?? 1));
      const told = numbers.map((number) => {
        const values = Object.fromEntries(names.map((name) => [name, number]));
        return textsIn(language)(key as TextKey, values);
      });
      lines.push(told.join(' | '));
    }
  }
  // Has been read by somebody who speaks both languages; read what changes in it.
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('numbers.txt');
});
