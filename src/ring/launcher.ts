import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { compareVersions, parseRingVersion } from './versions.js';

/** Where the platform's installer puts ring on Linux; several versions may stand side by side. */
const COMPONENTS = '/opt/1C/1CE/components';
const COMPONENT = /^1c-enterprise-ring-(.+)$/;

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first executable of that name on the PATH, or undefined. */
export async function findOnPath(name: string, path = ''): Promise<string | undefined> {
  for (const directory of path.split(delimiter).filter(Boolean)) {
    const candidate = resolve(directory, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function findNewestComponent(): Promise<string | undefined> {
  let newest: { path: string; version: readonly number[] } | undefined;
  for (const name of await readdir(COMPONENTS).catch(() => [])) {
    const version = parseRingVersion(COMPONENT.exec(name)?.[1] ?? '')?.numbers;
    const path = join(COMPONENTS, name, 'ring');
    if (!version || !(await isExecutable(path))) continue;
    if (!newest || compareVersions(version, newest.version) > 0) newest = { path, version };
  }
  return newest?.path;
}

/**
 * Finds ring's launcher: RING_CMD when it is set, else `ring` on the PATH, else the newest component.
 * Asked anew for each decode, so that a ring installed later is found without a restart.
 * @returns an absolute path, or undefined when there is none
 */
export async function findRing(
  command: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (command?.includes('/')) return resolve(command);
  const found = await findOnPath(command ?? 'ring', env['PATH']);
  return found ?? (command === undefined ? await findNewestComponent() : undefined);
}

/**
 * Finds the JRE as ring's launcher does: JAVA_HOME first, then the PATH.
 * @returns an absolute path, or undefined when there is none
 */
export async function findJava(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env['JAVA_HOME']) return join(env['JAVA_HOME'], 'bin', 'java');
  return findOnPath('java', env['PATH']);
}
