import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import which from 'which';
import { compareVersions, parseRingVersion } from './versions.js';

/** Where the platform's installer puts ring on Linux; several versions may be installed side by side. */
const COMPONENTS = '/opt/1C/1CE/components';
const COMPONENT = /^1c-enterprise-ring-(.+)$/;

async function findOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const found = await which(name, { path: env['PATH'] ?? '', nothrow: true });
  return found === null ? undefined : resolve(found);
}

/** Where the launchers of the installed components are, the newest version first. */
async function findComponents(): Promise<string[]> {
  const names = await readdir(COMPONENTS).catch((): string[] => []);
  const components: { path: string; numbers: number[] }[] = [];
  for (const name of names) {
    const versionText = COMPONENT.exec(name)?.[1] ?? '';
    const version = parseRingVersion(versionText);
    if (!version) continue;

    const path = join(COMPONENTS, name, 'ring');
    components.push({ path, numbers: version.numbers });
  }
  components.sort((a, b) => compareVersions(b.numbers, a.numbers));
  return components.map(({ path }) => path);
}

async function findNewestComponent(): Promise<string | undefined> {
  for (const path of await findComponents()) {
    const isExecutable = await which(path, { nothrow: true });
    if (isExecutable) return path;
  }
  return undefined;
}

/**
 * Finds ring's launcher: RING_CMD if set, else `ring` on the PATH, else the newest component.
 * @returns an absolute path, or undefined when there is none
 */
export async function findRing(
  command: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (command?.includes('/')) return resolve(command);
  if (command !== undefined) return findOnPath(command, env);

  const onPath = await findOnPath('ring', env);
  return onPath ?? findNewestComponent();
}

/**
 * Why a launcher was not found that seems to be there: a file of its name cannot be executed, or this user cannot enter
 * the directory of the components.
 * @returns undefined when nothing like it is there
 */
export async function whyNotFound(
  command: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const isChosen = command !== undefined;
  const directories = (env['PATH'] ?? '').split(delimiter);
  const onPath = directories.filter((directory) => directory !== '');
  const candidates = onPath.map((directory) => join(directory, command ?? 'ring'));
  if (!isChosen) candidates.push(...(await findComponents()));

  for (const path of candidates) {
    const reason = await whyNotExecuted(path);
    if (reason !== undefined) return reason;
  }
  if (isChosen) return undefined;

  const closed = await closedDirectory();
  return closed && `this user cannot enter ${closed}`;
}

/**
 * Names a file that this user may not execute, because of its mode or of how its file system is mounted.
 * @returns undefined when there is no such file, or it may be executed
 */
export async function whyNotExecuted(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) return undefined;

  const isExecutable = await mayExecute(path);
  if (isExecutable) return undefined;

  const mode = (stats.mode & 0o777).toString(8);
  return `this user cannot execute ${path} (mode ${mode})`;
}

/** The directory that keeps this user from looking for components, if there is one. */
async function closedDirectory(path = COMPONENTS): Promise<string | undefined> {
  // Nothing below a closed directory can be seen, so the first parent that can be seen is the closed one.
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return closedDirectory(dirname(path));

  const canEnter = await mayExecute(path);
  return canEnter ? undefined : path;
}

/** Whether this user may execute a file, or enter a directory. */
async function mayExecute(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** When a file was last changed, in milliseconds since 1970; 0 when it is gone. */
export async function modifiedAt(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.mtimeMs ?? 0;
}

/**
 * Finds the JRE as ring's launcher does: JAVA_HOME first, then the PATH.
 * @returns an absolute path, or undefined when there is none
 */
export async function findJava(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const home = env['JAVA_HOME'];
  if (home) return join(home, 'bin', 'java');
  return findOnPath('java', env);
}
