import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, realpathSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeCommit } from './commit.mjs';

/*
 * Builds dist/ for tests and scripts: only when a source is newer than the last build, and without checking types.
 * `npm run build` always builds, and checks them.
 */

const ROOT = dirname(import.meta.dirname);
/** Sources besides what is in `src`. */
const SOURCES = ['src', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** One output of each of the two compilers. */
const OUTPUTS = ['dist/web/static/index.html', 'dist/server.js'];

/**
 * Whether there is a build, and no source has changed since.
 * @param {string} root
 */
export function isBuilt(root) {
  // Directories are among them, because only their time changes when a file is removed.
  const inSrc = readdirSync(join(root, 'src'), { recursive: true });
  const sources = [...SOURCES, ...inSrc.map((path) => join('src', path))];
  const times = sources.map((path) => modifiedAt(join(root, path)));
  const newest = Math.max(...times);
  return OUTPUTS.every((path) => modifiedAt(join(root, path)) > newest);
}

/** Milliseconds since 1970; 0 when there is no such file. */
function modifiedAt(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.mtimeMs ?? 0;
}

async function run(program, ...args) {
  // vitest sets another NODE_ENV, which would become part of the pages.
  const env = { ...process.env, NODE_ENV: 'production' };
  const path = join(ROOT, 'node_modules/.bin', program);
  if (!existsSync(path)) {
    throw new Error('Building dist/ needs the development dependencies: run npm ci, then try again.');
  }
  const child = spawn(path, args, { cwd: ROOT, env, stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${program} could not build dist/: exit status ${status}.`);
}

/** vitest calls this as well, before the first test. */
export default async function build() {
  writeCommit();
  if (isBuilt(ROOT)) return;
  const started = new Date();
  await Promise.all([run('vite', 'build', 'src/web', '--logLevel', 'warn'), run('tsc', '--noCheck')]);
  // A source that changes during the build may be missing from it. The output gets the time at which the build began, so
  // that such a source is newer.
  for (const path of OUTPUTS) utimesSync(join(ROOT, path), started, started);
}

// Without the development dependencies this runs on the Node.js of the system, which may have no import.meta.main.
const isMain = realpathSync(process.argv[1]) === import.meta.filename;
if (isMain) {
  await build().catch(({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
}
