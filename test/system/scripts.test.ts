import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { isBuilt } from '../../scripts/build.mjs';
import { fakeJavaHome } from '../support/fake-ring.js';
import { DEMO_RING, ROOT, SAMPLE } from '../support/project.js';
import { tempDirectory } from '../support/temp.js';

const SECRET = 'a secret for tests that is longer than 32 bytes';

/** Runs a script of this project. */
function run(script: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  return spawnSync(process.execPath, [join(ROOT, script), ...args], { ...options, encoding: 'utf8' });
}

/** Runs the script in a directory that has no .env unless the test writes one. */
const token = (cwd: string, args: string[]) =>
  run('scripts/token.mjs', args, { cwd, env: { PATH: process.env['PATH'] } });

it.each([
  ...['demo', 'secret', 'token', 'release', 'screenshot', 'bench/page', 'bench/ring'].map(
    (name): [string, string[], RegExp] => [name, ['--bogus'], /'--bogus'/],
  ),
  ['token', ['--days', '0'], /^--days must be/],
  ['token', ['--days', '1000000000'], /^--days .* up to 36500/],
])('scripts/%s.mjs %j: only what is wrong and the usage, status 2', (name, args, problem) => {
  const { stdout, stderr, status } = run(`scripts/${name}.mjs`, args);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(problem);
  expect(stderr).toMatch(/\nUsage: .*\n$/);
});

it('--help prints the usage', () => {
  const { stdout, stderr, status } = token('/', ['--help']);
  expect([status, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^Usage: /)]);
});

it.each<[string, string[], string]>([
  ['demo', [], '/dev/null cannot be written to (ENOTDIR). Set TMPDIR to a directory that this user may'],
  ['release', [], 'git tag failed. Run this in a clone'],
])('scripts/%s.mjs %j says in one sentence what is wrong', async (name, args, sentence) => {
  const options = { cwd: await tempDirectory(), env: { ...process.env, TMPDIR: '/dev/null' } };
  const { stdout, stderr, status } = run(`scripts/${name}.mjs`, args, options);
  expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)]);
  expect(stderr.trim()).not.toContain('\n');
});

it('the bench of ring tells how long each way to read a license takes', async () => {
  const args = ['--rounds', '1', DEMO_RING, SAMPLE, await fakeJavaHome()];
  const { stdout } = run('scripts/bench/ring.mjs', args);
  expect(stdout).toMatch(/^\| 17[\d._]+ \|(?: \d+ ms \|){3} none \| [\d.]+ x \|$/m);
});

describe('npm run token', () => {
  it('warns of a secret that can be guessed', async () => {
    const cwd = await tempDirectory();
    writeFileSync(join(cwd, '.env'), 'JWT_SECRET=short\n');
    const { stdout, stderr } = token(cwd, ['--days', '30']);
    expect(stdout).not.toBe('');
    expect(stderr).toMatch(/^JWT_SECRET is shorter than 32 bytes: .*\n$/);
  });

  it('says that there is no secret', async () => {
    const { stdout, stderr, status } = token(await tempDirectory(), ['--days', '30']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^JWT_SECRET is not set, .* node scripts\/secret\.mjs prints .*\n$/);
  });

  it('prints a token for the subject and the days, and nothing else, by the secret in .env', async () => {
    const cwd = await tempDirectory();
    writeFileSync(join(cwd, '.env'), `JWT_SECRET="${SECRET}"\n`);
    const { stdout } = token(cwd, ['--days', '30', '--subject', 'shop']);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { iat, exp, sub } = jwt.verify(stdout.trim(), SECRET, { algorithms: ['HS256'] }) as jwt.JwtPayload;
    expect([(exp ?? 0) - (iat ?? 0), sub]).toEqual([30 * 86_400, 'shop']);
  });
});

it('npm start without dist/ and the development dependencies says in one line what to run', async () => {
  const project = await tempDirectory();
  for (const folder of ['scripts', 'src']) mkdirSync(join(project, folder));
  for (const path of ['package.json', 'scripts/build.mjs', 'scripts/commit.mjs'])
    copyFileSync(join(ROOT, path), join(project, path));
  const { status, stderr } = spawnSync('npm', ['start', '--silent'], { cwd: project, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toBe('Building dist/ needs the development dependencies: run npm ci, then try again.\n');
});

it('a build is made again after a source was changed, added or removed, and no sooner', async () => {
  const project = await tempDirectory();
  const write = (path: string, minute: number) => {
    mkdirSync(join(project, path, '..'), { recursive: true });
    writeFileSync(join(project, path), '');
    utimesSync(join(project, path), minute * 60, minute * 60);
  };
  write('src/web/page.ts', 1);
  write('package.json', 1);
  for (const folder of ['src/web', 'src']) utimesSync(join(project, folder), 60, 60);
  expect(isBuilt(project)).toBe(false);
  write('dist/server.js', 2);
  expect(isBuilt(project)).toBe(false);
  write('dist/web/static/index.html', 2);
  expect(isBuilt(project)).toBe(true);
  write('src/web/page.ts', 3);
  expect(isBuilt(project)).toBe(false);
  write('src/web/page.ts', 1);
  expect(isBuilt(project)).toBe(true);
  rmSync(join(project, 'src/web/page.ts'));
  expect(isBuilt(project)).toBe(false);
});

it('a build knows which commit is checked out, and outside a clone none', { tags: 'git' }, async () => {
  const clone = await tempDirectory();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
  const builtCommit = () => {
    execFileSync(process.execPath, [join(clone, 'scripts/commit.mjs')]);
    const file = join(clone, 'dist/commit.txt');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  mkdirSync(join(clone, 'scripts'));
  copyFileSync(join(ROOT, 'scripts/commit.mjs'), join(clone, 'scripts/commit.mjs'));
  expect(builtCommit()).toBeUndefined();

  git('init', '--quiet');
  git('config', 'user.name', 'A B');
  git('config', 'user.email', 'a@example.com');
  for (const subject of ['one', 'two']) git('commit', '--quiet', '--allow-empty', '--message', subject);
  expect(builtCommit()).toBe(git('rev-parse', '--short=7', 'HEAD'));
  git('tag', 'v1.0.0', 'HEAD^');
  git('checkout', '--quiet', 'v1.0.0');
  expect(builtCommit()).toBe(git('rev-parse', '--short=7', 'v1.0.0'));

  rmSync(join(clone, '.git'), { recursive: true });
  expect(builtCommit()).toBeUndefined();
});

it('secret prints a new secret of 32 bytes each time', () => {
  const secret = () => run('scripts/secret.mjs', []).stdout.trim();
  const [one, two] = [secret(), secret()];
  expect(Buffer.from(one, 'base64url')).toHaveLength(32);
  expect(one).not.toBe(two);
});

describe('.ci/summary.mjs', () => {
  /** A part of what vitest's JSON reporter writes. */
  const report = (failed: number, skipped: number, testResults: unknown[]) =>
    JSON.stringify({ numPassedTests: 5, numFailedTests: failed, numPendingTests: skipped, testResults });
  const FAILED_TEST = {
    name: 'a.test.ts',
    assertionResults: [
      { status: 'passed', fullName: 'adds', failureMessages: [] },
      { status: 'failed', fullName: 'subtracts', failureMessages: ['expected 1 to be 2'] },
    ],
  };
  const BROKEN_FILE = { name: 'b.test.ts', message: 'Cannot find module', assertionResults: [] };

  it.each<[what: string, reports: string[], status: number, lines: string[]]>([
    ['no failed test', [report(0, 0, []), report(0, 0, [])], 0, ['10 passed, 0 failed, 0 skipped']],
    ['a skipped test', [report(0, 1, [])], 1, ['5 passed, 0 failed, 1 skipped']],
    [
      'a failed test',
      [report(1, 0, [FAILED_TEST])],
      1,
      ['FAILED: a.test.ts: subtracts', 'expected 1 to be 2', '5 passed, 1 failed, 0 skipped'],
    ],
    [
      'a file that cannot be loaded',
      [report(0, 0, [BROKEN_FILE])],
      1,
      ['FAILED: b.test.ts', 'Cannot find module', '5 passed, 1 failed, 0 skipped'],
    ],
    [
      'a report that is cut off',
      ['{'],
      1,
      [
        expect.stringMatching(/^FAILED: .*0\.json$/) as string,
        expect.stringMatching(/^vitest wrote no report: /) as string,
        '0 passed, 1 failed, 0 skipped',
      ],
    ],
  ])(
    'with %s ends with the counts, and with status 1 unless all passed',
    async (_what, reports, status, lines) => {
      const directory = await tempDirectory();
      const paths = reports.map((text, i) => {
        const path = join(directory, `${i}.json`);
        writeFileSync(path, text);
        return path;
      });
      const summary = run('.ci/summary.mjs', paths);
      expect(summary.stdout.trimEnd().split('\n')).toEqual(lines);
      expect([summary.status, summary.stderr]).toEqual([status, '']);
    },
  );
});

it('a clone of Git for Windows has LF in scripts, and licenses as they are', { tags: 'git' }, async () => {
  const directory = await tempDirectory();
  const clone = join(directory, 'clone');
  const files = { 'script.mjs': 'a\nb\n', 'lf.lic': 'a\nb\n', 'crlf.lic': 'a\r\nb\r\n' };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: directory });
  git('init', '--quiet');
  copyFileSync(join(ROOT, '.gitattributes'), join(directory, '.gitattributes'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message', 'x');
  git('-c', 'core.autocrlf=true', 'clone', '--quiet', '.', clone);
  for (const [name, text] of Object.entries(files)) {
    expect(readFileSync(join(clone, name), 'utf8')).toBe(text);
  }
});
