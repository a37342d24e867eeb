import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import which from 'which';
import { compareVersions, parseRingVersion } from './versions.js';

/** Where the platform's installer puts ring on Linux; several versions may be installed side by side. */
const COMPONENTS = '/opt/1C/1CE/components';
const COMPONENT = /^1c-enterprise-ring-(.+)$/;

/** The first executable of that name on the PATH. */
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
 * Finds ring's launcher: RING_CMD if set, else `ring` on the PATH, else the newest component. Called for each decode,
 * so that a ring that is installed later is found without a restart.
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

/** When a file was last changed, in milliseconds since 1970; 0 when it is gone. */
export const modifiedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/**
 * Finds the JRE as ring's launcher does: JAVA_HOME first, then the PATH.
 * @returns an absolute path, or undefined when there is none
 */
export async function findJava(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env['JAVA_HOME']) return join(env['JAVA_HOME'], 'bin', 'java');
  return findOnPath('java', env);
}
