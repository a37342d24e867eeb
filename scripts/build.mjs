import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Builds dist/ for tests and scripts: only when a source is newer than the last build, and without checking types.
 * `npm run build` always builds, and checks them.
 */

const ROOT = dirname(import.meta.dirname);
/** Directories too: they change when a file is removed. */
const SOURCES = ['src', 'src/**', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** One output of each of the two compilers. */
const OUTPUTS = ['dist/web/static/index.html', 'dist/server.js'];

/**
 * Whether the last build is there, and no source has changed since.
 * @param {string} root
 */
export function isBuilt(root) {
  const time = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = Math.max(...globSync(SOURCES, { cwd: root }).map(time));
  return OUTPUTS.every((path) => time(path) > newest);
}

async function run(program, ...args) {
  // vitest sets another NODE_ENV, which would become part of the pages.
  const env = { ...process.env, NODE_ENV: 'production' };
  const path = join(ROOT, 'node_modules/.bin', program);
  const [status] = await once(spawn(path, args, { cwd: ROOT, env, stdio: 'inherit' }), 'exit');
  if (status !== 0) throw new Error(`${program} could not build dist/: exit status ${status}.`);
}

/** Also vitest calls this, before the first test. */
export default async function build() {
  if (isBuilt(ROOT)) return;
  const started = new Date();
  await Promise.all([run('vite', 'build', 'src/web', '--logLevel', 'warn'), run('tsc', '--noCheck')]);
  // What is changed during a build belongs to the next one.
  for (const path of OUTPUTS) utimesSync(join(ROOT, path), started, started);
}

if (import.meta.main) {
  await build().catch(({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
}
