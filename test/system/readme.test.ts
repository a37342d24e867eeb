import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import jwt from 'jsonwebtoken';
import { expect, it } from 'vitest';
import { spawnService } from '../support/spawned-service.js';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const succeeds = (command: string) => spawnSync('sh', ['-c', command]).status === 0;
const SECRET = 'a secret for tests that is longer than 32 bytes';

/** The fenced blocks of a page. */
const blocksOf = (path: string) =>
  [...read(path).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    title: `${language}: ${code.split('\n', 1).join()}`,
    language,
    code,
  }));
type Block = ReturnType<typeof blocksOf>[number];
const SHOWN = blocksOf('README.md');

/** What runs the code of a language that comes on standard input. */
const INTERPRETERS = new Map([
  ['sh', ['sh', '-eu']],
  ['python', ['python3', '-']],
  ['js', [process.execPath, '--input-type=module', '-']],
]);

function whyNotRun({ language, code }: Block): string | undefined {
  if (!INTERPRETERS.has(language)) return `nothing here runs ${language}`;
  if (code.includes('docker')) return 'it needs a container engine';
  if (code.includes('npm ci')) return 'it would replace the packages that the tests run on';
  const missing = ['curl', 'jq'].find((name) => code.includes(`${name} `) && !succeeds(`command -v ${name}`));
  if (missing) return `there is no ${missing} here`;
  const canRun = language !== 'python' || succeeds('python3 -c "import requests"');
  return canRun ? undefined : 'there is no Python with requests here';
}

/** Starts the service on the demo ring and runs the code in the project's root, with only the port changed. */
async function run({ language, code }: Block): Promise<string> {
  const { port } = await spawnService({ RING_CMD: join(root, 'scripts/demo-ring/ring'), JWT_SECRET: SECRET });
  const [program = '', ...args] = INTERPRETERS.get(language) ?? [];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    // The sample expires in 2026.
    input: code.replaceAll('localhost:3000', `localhost:${port}`).replace('$(date +%Y)', '2026'),
    env: { ...process.env, NO_PROXY: '*', JWT_SECRET: SECRET, TOKEN: jwt.sign({}, SECRET) },
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
  const secretAndToken = /^[\w-]{43}\n[\w-]+\.[\w-]+\.[\w-]+\n$/;
  const expected = snippet.code.includes('npm run') ? secretAndToken : /481-207-935-660-142/;
  expect(await run(snippet)).toMatch(expected);
});

it('the first call gets the answer that README.md shows', { tags: 'curl' }, async () => {
  const [call, example] = SHOWN.filter(({ code }) => /^curl|^\{/.test(code));
  const answer = Object.entries(JSON.parse(call ? await run(call) : '') as Record<string, string>);
  const shown = JSON.parse(example?.code ?? '') as Record<string, string>;
  expect(answer.map(([key]) => key)).toEqual(Object.keys(shown));
  for (const [key, text] of answer) expect(text.startsWith((shown[key] ?? '').replace(/…$/, ''))).toBe(true);
});

it('the translation has the same code, but for comments', () => {
  const codeOf = (blocks: Block[]) => blocks.map(({ code }) => code.replace(/ +# .*$/gm, ''));
  expect(codeOf(blocksOf('docs/README.ru.md'))).toEqual(codeOf(SHOWN));
});

it.each(['README.md', 'docs/README.ru.md'])('%s names every setting and no missing file', (path) => {
  const text = read(path);
  const settings = [...read('.env.example').matchAll(/^#?([A-Z\d_]+)=/gm)].map(
    ([, name = '']) => `\`${name}\``,
  );
  expect(settings.filter((name) => !text.includes(name))).toEqual([]);
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => join(dirname(path), link));
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
});
