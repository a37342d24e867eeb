import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { COMPONENTS, findComponents } from '../ring/installation/locate.js';

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
