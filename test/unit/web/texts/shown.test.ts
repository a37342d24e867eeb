import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Language } from '../../../../src/errors/catalog.js';
import { FRAME_TEXTS } from '../../../../src/web/page/texts/frame-texts.js';
import { LICENSE_TEXTS } from '../../../../src/web/page/texts/license-texts.js';
import { LIST_TEXTS } from '../../../../src/web/page/texts/list-texts.js';
import { SERVICE_PROBLEM_TEXTS } from '../../../../src/web/page/texts/problem-texts.js';
import { ROOT } from '../../../support/project.js';

type Text = Record<Language, string>;

const TEXTS: Text[] = [FRAME_TEXTS, LIST_TEXTS, LICENSE_TEXTS, SERVICE_PROBLEM_TEXTS].flatMap((texts) =>
  Object.values<Text>(texts),
);
const textsOf = (pattern: string) =>
  globSync(join(ROOT, 'test', pattern))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');

const russianVisits = textsOf('browser/visits/*.ru.txt');
const englishVisits = textsOf('browser/visits/*.en.txt');
const pageTests = textsOf('page/*.test.ts');

const escape = (text: string) => text.replace(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`);

/** Matches a text with any values, and with any of the forms that a number may ask for. */
function patternOf(text: string): RegExp {
  const parts = text.split(/(\{[^}]*\})/).map((part) => {
    if (!part.startsWith('{')) return escape(part);
    const [, ...forms] = part.slice(1, -1).split('|');
    return forms.length > 0 ? `(?:${forms.map((form) => escape(form)).join('|')})` : '.+?';
  });
  return new RegExp(parts.join(''));
}

// Every visit is in Russian, but only some are in English too.
it('each text that a Russian visit shows stands in an English one or in a test of the page', () => {
  const visited = TEXTS.filter(({ ru }) => patternOf(ru).test(russianVisits));
  expect(visited.length).toBeGreaterThan(50);
  const missing = visited.filter(
    ({ en }) => !patternOf(en).test(englishVisits) && !patternOf(en).test(pageTests),
  );
  expect(missing.map(({ en }) => en)).toEqual([]);
});
