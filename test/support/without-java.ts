import { globSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * The environment of this process on a machine without Java: its PATH has the same programs, but for `java`.
 * @param directory gets a folder with links to them
 */
export function environmentWithoutJava(directory: string): NodeJS.ProcessEnv {
  const folder = join(directory, 'programs');
  mkdirSync(folder);
  const { PATH = '' } = process.env;
  const programs = new Map<string, string>();
  for (const path of globSync(PATH.split(':').map((directory) => `${directory}/*`))) {
    const name = basename(path);
    if (!programs.has(name)) programs.set(name, path);
  }
  programs.delete('java');
  for (const [name, path] of programs) symlinkSync(path, join(folder, name));
  return { ...process.env, PATH: folder, JAVA_HOME: undefined };
}
