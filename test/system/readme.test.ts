import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { read, ROOT } from '../support/project.js';
import { snippetsOf } from '../support/snippets.js';

/** Pages in English with their Russian twins. */
const TWINS = [
  ['README.md', 'docs/README.ru.md'],
  ['docs/install.md', 'docs/install.ru.md'],
  ['docs/run.md', 'docs/run.ru.md'],
  ['docs/trouble.md', 'docs/trouble.ru.md'],
] as const;

const codeOf = (path: string) => snippetsOf(path).map(({ code }) => code);

/** For these, the Russian pages refer to the English ones. */
const ONLY_IN_ENGLISH = /^(?:kubectl|cosign|docker build --build-context|apiVersion)/;

/** The levels of a page's headings, where that of # is 1. A comment in a code block is no heading. */
function headingLevelsOf(path: string) {
  const prose = read(path).replaceAll(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/^(#+) /gm)].map(([, signs = '']) => signs.length);
}

/** The headings of a page as they stand in links to it. */
const headingsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The numbers that a pattern captures in a file. */
const numbersIn = (path: string, pattern: RegExp) => pattern.exec(read(path))?.slice(1).map(Number) ?? [];

it.each(TWINS)('%s and %s have the same code and the same levels of headings', (english, russian) => {
  expect(codeOf(russian)).toEqual(codeOf(english).filter((code) => !ONLY_IN_ENGLISH.test(code)));
  expect(headingLevelsOf(russian)).toEqual(headingLevelsOf(english));
});

it.each(globSync(['*.md', 'docs/*.md'], { cwd: ROOT }))('%s links to no missing file or heading', (path) => {
  const links = [...read(path).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]*)#?([^)"]*)[)"]/g)];
  const broken = links.filter(([, file = '', heading = '']) => {
    const target = file ? join(dirname(path), file) : path;
    if (!existsSync(join(ROOT, target))) return true;
    return heading && !headingsOf(target).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s names no missing file or folder', (page) => {
  // Below these, paths are named without the folder.
  const bases = [
    '',
    'src',
    'src/web/page',
    'src/web/page/model',
    'docs',
    'test',
    'docs/deploy',
    '.github/workflows',
  ];
  const paths = [
    ...read(page).matchAll(/`([\w.][\w.*/-]*(?:\/|\.(?:json|mjs|md|sh|service|tsx?|txt|ya?ml)))`/g),
  ];
  const missing = paths.filter(([, path = '']) => {
    const candidates = bases.map((base) => join(base, path));
    return globSync(candidates, { cwd: ROOT }).length === 0;
  });
  expect(missing.map(([, path]) => path)).toEqual([]);
});

it('run.md, install.md and compose.yaml plan the same memory', () => {
  const [node = NaN, slot = NaN, poll = NaN] = numbersIn(
    'docs/run.md',
    /(\d+) MB \+ `RING_CONCURRENCY` × (\d+) MB \+ (\d+) MB/,
  );
  const [temporary = NaN] = numbersIn('compose.yaml', /\/tmp:.*size=(\d+)m/);
  for (const file of ['compose.yaml', 'docs/install.md']) {
    const [slots = NaN, limit] = numbersIn(file, /RING_CONCURRENCY: '(\d+)'.*?mem_limit: (\d+)m/s);
    expect(limit).toBe(node + slots * slot + poll + temporary);
  }
});

it.each(['README.md', 'docs/README.ru.md'])('%s has the version', (page) => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read(page)).toMatch(new RegExp(`^(?:Version|Версия) ${version} `, 'm'));
});

it('README.md says how many decodes the demo allows', () => {
  const [, limit] = /RATE_LIMIT_MAX \|\| '(\d+)'/.exec(read('scripts/demo.mjs')) ?? [];
  expect(read('README.md').replaceAll('\n', ' ')).toContain(`${limit} decodes an hour`);
});
