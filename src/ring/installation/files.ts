import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Names a jar of each module that is installed, unless the variable E1C_RING_COMMANDS names another file. */
const REGISTRY = '/etc/1C/1CE/ring-commands.cfg';
/** A path of a jar in the registry, which is YAML: `file: "/opt/…/com._1c.license.activator.ring-0.15.0-2.jar"`. */
const JAR = /\/[^"'\n]+\.jar\b/g;

/**
 * The launcher, the jars of ring and those of its modules, each with the time of its last change, so that an update in
 * place shows. What cannot be read is left out.
 */
export async function filesOfRing(launcher: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const installed = await realpath(launcher).catch(() => launcher);
  const directories = new Set([join(dirname(installed), 'lib')]);
  const registry = await readFile(env['E1C_RING_COMMANDS'] ?? REGISTRY, 'utf8').catch(() => '');
  for (const [jar] of registry.matchAll(JAR)) directories.add(dirname(jar));

  const paths = [installed];
  for (const directory of directories) {
    const names = await readdir(directory).catch((): string[] => []);
    const jars = names.filter((name) => name.endsWith('.jar')).sort();
    paths.push(...jars.map((name) => join(directory, name)));
  }
  return Promise.all(paths.map(withTime));
}

async function withTime(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  return `${path} ${stats?.mtimeMs}`;
}
