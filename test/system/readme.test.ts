import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { read, ROOT } from '../support/project.js';
import { interpretWithService, snippetsOf } from '../support/snippets.js';

/** What docs/operating.ru.md translates, in its order. */
const OPERATING_PAGES = ['docs/install.md', 'docs/run.md', 'docs/trouble.md'];

const codeOf = (...paths: string[]) => paths.flatMap((path) => snippetsOf(path).map(({ code }) => code));

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

it('the first call gets the data that README.md shows', { tags: 'curl' }, async () => {
  const [call, example] = snippetsOf('README.md').filter(({ code }) => /^curl|^\{/.test(code));
  const { structured } = JSON.parse(call ? await interpretWithService(call) : '') as { structured: unknown };
  expect(structured).toMatchObject(JSON.parse(example?.code ?? '') as object);
});

it('the translations have the same code', () => {
  expect(codeOf('docs/README.ru.md')).toEqual(codeOf('README.md'));
  expect(codeOf('docs/operating.ru.md')).toEqual(codeOf(...OPERATING_PAGES));
});

it('the translations have the same headings', () => {
  expect(headingLevelsOf('docs/README.ru.md')).toEqual(headingLevelsOf('README.md'));

  // Below its title, the Russian page has each English page as a part, one level lower.
  const english = OPERATING_PAGES.flatMap(headingLevelsOf).map((level) => level + 1);
  expect(headingLevelsOf('docs/operating.ru.md')).toEqual([1, ...english]);
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

it('the demo allows as many decodes by npm as by Docker, and as README.md says', () => {
  const [fromNpm, fromDocker] = ['scripts/demo.mjs', 'Dockerfile'].map(
    (path) => /RATE_LIMIT_MAX(?: \|\| '|=)(\d+)/.exec(read(path))?.[1],
  );
  expect(fromNpm).toBe(fromDocker);
  expect(read('README.md')).toContain(`${fromNpm} decodes an hour`);
});
