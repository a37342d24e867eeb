import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import which from 'which';
import { compareVersions, parseRingVersion } from './versions.js';

/** Where the platform's installer puts ring on Linux; several versions may be installed side by side. */
const COMPONENTS = '/opt/1C/1CE/components';
const COMPONENT = /^1c-enterprise-ring-(.+)$/;

async function findOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const found = await which(name, { path: env['PATH'] ?? '', nothrow: true });
  return found === null ? undefined : resolve(found);
}

async function findNewestComponent(): Promise<string | undefined> {
  const components = (await readdir(COMPONENTS).catch(() => [])).flatMap((name) => {
    const version = parseRingVersion(COMPONENT.exec(name)?.[1] ?? '');
    return version ? [{ path: join(COMPONENTS, name, 'ring'), version: version.numbers }] : [];
  });
  for (const { path } of components.sort((a, b) => compareVersions(b.version, a.version))) {
    if (await which(path, { nothrow: true })) return path;
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
  const found = await findOnPath(command ?? 'ring', env);
  return found ?? (command === undefined ? await findNewestComponent() : undefined);
}

/** The directory that keeps this user from looking for components, if there is one. */
export async function closedDirectory(path = COMPONENTS): Promise<string | undefined> {
  // What is below a closed directory cannot even be seen.
  if (!(await stat(path).catch(() => undefined))) return closedDirectory(dirname(path));
  return access(path, constants.X_OK).then(
    () => undefined,
    () => path,
  );
}

/** When a file was last changed, in milliseconds since 1970; 0 when it is gone. */
export async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}

/**
 * Finds the JRE as ring's launcher does: JAVA_HOME first, then the PATH.
 * @returns an absolute path, or undefined when there is none
 */
export async function findJava(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env['JAVA_HOME']) return join(env['JAVA_HOME'], 'bin', 'java');
  return findOnPath('java', env);
}
