import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { spawnService } from '../support/spawned-service.js';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const succeeds = (command: string) => spawnSync('sh', ['-c', command]).status === 0;

/** The fenced blocks of a page. */
const blocksOf = (path: string) =>
  [...read(path).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    title: `${language}: ${code.split('\n', 1).join()}`,
    language,
    code,
  }));
/** The headings of a page as they stand in links to it. */
const headingsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
type Block = ReturnType<typeof blocksOf>[number];
const SHOWN = blocksOf('README.md');

/** What runs the code of a language that comes on standard input. */
const INTERPRETERS = new Map([
  ['sh', ['sh', '-eu']],
  ['python', ['python3', '-']],
]);

function whyNotRun({ language, code }: Block): string | undefined {
  if (!INTERPRETERS.has(language)) return `nothing here runs ${language}`;
  if (code.includes('docker')) return 'it needs a container engine';
  if (code.includes('npm ci')) return 'it would replace the packages that the tests run on';
  if (code.includes('curl') && !succeeds('command -v curl')) return 'there is no curl here';
  const canRun = language !== 'python' || succeeds('python3 -c "import requests"');
  return canRun ? undefined : 'there is no Python with requests here';
}

/** Starts the service on the demo ring and runs the code in the project's root, with only the port changed. */
async function run({ language, code }: Block): Promise<string> {
  const { port } = await spawnService({ RING_CMD: join(root, 'scripts/demo-ring/ring') });
  const [program = '', ...args] = INTERPRETERS.get(language) ?? [];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    input: code.replaceAll('localhost:3000', `localhost:${port}`),
    env: { ...process.env, NO_PROXY: '*' },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

const snippets = SHOWN.filter(({ language }) => language !== 'json');
for (const snippet of snippets) {
  const reason = whyNotRun(snippet);
  if (reason) process.stderr.write(`NOT RUN: README.md: ${snippet.title}: ${reason}\n`);
}

it.each(snippets.filter((snippet) => !whyNotRun(snippet)))('README.md: $title', async (snippet) => {
  expect(await run(snippet)).toMatch(/481-207-935-660-142/);
});

it('the first call gets the answer that README.md shows', { tags: 'curl' }, async () => {
  const [call, example] = SHOWN.filter(({ code }) => /^curl|^\{/.test(code));
  const answer = Object.entries(JSON.parse(call ? await run(call) : '') as Record<string, string>);
  const shown = JSON.parse(example?.code ?? '') as Record<string, string>;
  expect(answer.map(([key]) => key)).toEqual(Object.keys(shown));
  for (const [key, text] of answer) expect(text.startsWith((shown[key] ?? '').replace(/…$/, ''))).toBe(true);
});

it('the translation has the same code', () => {
  expect(blocksOf('docs/README.ru.md')).toEqual(SHOWN);
});

it.each(['README.md', 'docs/README.ru.md', 'docs/operating.md', 'docs/settings.md'])(
  '%s links to no missing file or heading',
  (path) => {
    const links = [...read(path).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]*)#?([^)"]*)[)"]/g)];
    const broken = links.filter(([, file = '', heading = '']) => {
      const target = file ? join(dirname(path), file) : path;
      if (!existsSync(join(root, target))) return true;
      return heading && !headingsOf(target).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  },
);

/** The rows of a page's table of settings: names and defaults. */
const settingsOf = (path: string) =>
  [...read(path).matchAll(/^\| `([A-Z\d_]+)` +\| (.*?) +\|/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);

it('docs/settings.md has every setting of .env.example, with its default', () => {
  const documented = settingsOf('docs/settings.md');
  const settings = [...read('.env.example').matchAll(/^#?([A-Z\d_]+)=(.*)$/gm)];
  expect(documented.map(([name]) => name)).toEqual(settings.map(([, name]) => name));
  for (const [, name, value] of settings.filter(([, , value]) => value)) {
    expect(documented).toContainEqual([name, `\`${value}\``]);
  }
});

it('README.md has the ten settings that people set, as docs/settings.md has them', () => {
  const shown = settingsOf('README.md');
  expect(shown).toHaveLength(10);
  expect(settingsOf('docs/settings.md')).toEqual(expect.arrayContaining(shown));
  expect(settingsOf('docs/README.ru.md').map(([name]) => name)).toEqual(shown.map(([name]) => name));
});

it('the demo allows as many decodes by npm as by Docker, and as README.md says', () => {
  const [fromNpm, fromDocker] = ['scripts/demo.mjs', 'Dockerfile'].map(
    (path) => /RATE_LIMIT_MAX(?: \|\| '|=)(\d+)/.exec(read(path))?.[1],
  );
  expect(fromNpm).toBe(fromDocker);
  expect(read('README.md')).toContain(`${fromNpm} an hour`);
});
