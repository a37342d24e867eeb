import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const succeeds = (command: string) => spawnSync('sh', ['-c', command]).status === 0;

/** The fenced blocks of a page. */
const blocksOf = (path: string) =>
  [...read(path).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    title: `${path}: ${language}: ${code.split('\n', 1).join()}`,
    language,
    code,
  }));
const codeOf = (...paths: string[]) => paths.flatMap((path) => blocksOf(path).map(({ code }) => code));
/** The headings of a page as they stand in links to it. */
const headingsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
type Block = ReturnType<typeof blocksOf>[number];

/** What runs the code of a language that comes on standard input. */
const INTERPRETERS = new Map(Object.entries({ sh: ['sh', '-eu'], python: ['python3', '-'] }));
const WRITES_ENV = '>>.env';

function whyNotRun({ language, code }: Block): string | undefined {
  if (!INTERPRETERS.has(language)) return `nothing here runs ${language}`;
  if (code.includes('docker')) return 'it needs a container engine';
  if (code.includes('npm ci')) return 'it would replace the packages that the tests run on';
  if (code.includes('doctor') && !succeeds('command -v java')) return 'there is no Java here';
  if (code.includes('curl') && !succeeds('command -v curl')) return 'there is no curl here';
  const canRun = language !== 'python' || succeeds('python3 -c "import requests"');
  return canRun ? undefined : 'there is no Python with requests here';
}

function interpret({ language, code }: Block, cwd = root): string {
  const [program = '', ...args] = INTERPRETERS.get(language) ?? [];
  const env = { ...process.env, NO_PROXY: '*' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, input: code, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

/**
 * Starts the service on the demo ring and runs the code in the project's root, with another port, and without the build
 * that comes before the self-check: it would replace the files that other tests run.
 */
async function run({ code, ...block }: Block): Promise<string> {
  const { port } = await spawnService({ RING_CMD: join(root, 'scripts/demo-ring/ring') });
  const changed = code
    .replaceAll('localhost:3000', `localhost:${port}`)
    .replace('npm run doctor --', `'${process.execPath}' dist/doctor/doctor.js`);
  return interpret({ ...block, code: changed });
}

const snippets = ['README.md', 'docs/examples.md']
  .flatMap(blocksOf)
  .filter(({ language }) => language !== 'json');
for (const snippet of snippets) {
  const reason = whyNotRun(snippet);
  if (reason) process.stderr.write(`NOT RUN: ${snippet.title}: ${reason}\n`);
}
const [settings = [], others = []] = [true, false].map((writes) =>
  snippets.filter((snippet) => !whyNotRun(snippet) && snippet.code.includes(WRITES_ENV) === writes),
);

it.each(others)('$title', async (snippet) => {
  expect(await run(snippet)).toMatch(/481-207-935-660-142|names the license/);
});

it('the commands that write .env keep what it has, also the second time', async () => {
  const cwd = await tempDirectory();
  for (const name of ['package.json', 'scripts', 'node_modules'])
    symlinkSync(join(root, name), join(cwd, name));
  const outputs = [...settings, ...settings].map((snippet) => interpret(snippet, cwd));
  expect(outputs.filter((output) => /^[\w-]+\.[\w-]+\.[\w-]+\n$/.test(output))).toHaveLength(2);
  expect(readFileSync(join(cwd, '.env'), 'utf8').match(/^JWT_SECRET=.+$/gm)).toHaveLength(1);
});

it('the first call gets the data that README.md shows', { tags: 'curl' }, async () => {
  const [call, example] = blocksOf('README.md').filter(({ code }) => /^curl|^\{/.test(code));
  const { structured } = JSON.parse(call ? await run(call) : '') as { structured: unknown };
  expect(structured).toMatchObject(JSON.parse(example?.code ?? '') as object);
});

it('the translations have the same code', () => {
  expect(codeOf('docs/README.ru.md')).toEqual(codeOf('README.md'));
  const english = codeOf('docs/install.md', 'docs/run.md', 'docs/trouble.md');
  expect(codeOf('docs/operating.ru.md')).toEqual(english);
});

it.each(globSync(['*.md', 'docs/*.md'], { cwd: root }))('%s links to no missing file or heading', (path) => {
  const links = [...read(path).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]*)#?([^)"]*)[)"]/g)];
  const broken = links.filter(([, file = '', heading = '']) => {
    const target = file ? join(dirname(path), file) : path;
    if (!existsSync(join(root, target))) return true;
    return heading && !headingsOf(target).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it('the demo allows as many decodes by npm as by Docker, and as README.md says', () => {
  const [fromNpm, fromDocker] = ['scripts/demo.mjs', 'Dockerfile'].map(
    (path) => /RATE_LIMIT_MAX(?: \|\| '|=)(\d+)/.exec(read(path))?.[1],
  );
  expect(fromNpm).toBe(fromDocker);
  expect(read('README.md')).toContain(`${fromNpm} an hour`);
});
