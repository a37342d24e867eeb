import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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
 * @returns an absolute path, at which there may be nothing if RING_CMD has it, or undefined when nothing is found
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
 * Finds the JRE as ring's launcher does: JAVA_HOME first, then the PATH.
 * @returns an absolute path, at which there may be nothing if JAVA_HOME has it, or undefined when nothing is found
 */
export async function findJava(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const home = env['JAVA_HOME'];
  if (home) return join(home, 'bin', 'java');
  return findOnPath('java', env);
}
