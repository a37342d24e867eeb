import { readdirSync, rmSync } from 'node:fs';
import { lstat, lutimes, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

/** Rounds without a sign of life after which a process counts as dead. */
export const MAX_MISSED = 36;

/** Names of what any process of this service makes; the group is the process. */
const OUR_NAME = /^(?:upload-|decode-|\.alive-)([0-9a-f]+)(?:-|$)/;

/**
 * Does one round of the search for what killed processes left in a directory. Which processes are alive is found out
 * without a clock: hosts that share a volume may disagree on the time, and clocks jump. Each process has an empty
 * directory `.alive-<process>` whose modification time is a counter. Its owner sets it to zero in each round, everyone
 * else adds a second. This takes no free space, and goes on where a restarted process stopped.
 * @param processId of this process
 * @returns why something could not be removed, for the log
 */
export async function removeLeftovers(
  directory: string,
  processId: string,
  log: Logger,
): Promise<string | undefined> {
  const names = await readdir(directory).catch(() => []);
  const byProcess = Map.groupBy(names, (name) => OUR_NAME.exec(name)?.[1]);
  byProcess.delete(undefined);
  byProcess.set(processId, []);
  let problem: string | undefined;
  for (const [id, entries] of byProcess) {
    const counter = join(directory, `.alive-${id}`);
    try {
      if (id === processId) await setCounter(counter, 0);
      else await suspect(directory, counter, entries, log);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another replica was faster.
      if (code !== 'ENOENT') problem = code;
    }
  }
  return problem;
}

/** Removes the entries of this process at once, because it is about to exit. Never throws. */
export function removeOwnFiles(directory: string, processId: string, log: Logger): void {
  try {
    for (const name of readdirSync(directory)) {
      if (OUR_NAME.exec(name)?.[1] !== processId) continue;
      // A ring process that was just killed may still be writing.
      rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 3 });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') log.warn({ path: directory, reason: code }, 'could not remove the last files');
  }
}

/** Counts a round in which a process gave no sign of life, and removes its entries when there were too many. */
async function suspect(directory: string, counter: string, entries: string[], log: Logger): Promise<void> {
  const ours: string[] = [];
  for (const name of entries) {
    // Follows no symbolic link, and leaves what other users have put here.
    const { uid } = await lstat(join(directory, name));
    if (uid === process.getuid?.()) ours.push(name);
  }
  if (ours.length === 0) return;
  const missed = (await readCounter(counter)) + 1;
  if (missed <= MAX_MISSED) {
    await setCounter(counter, missed);
    return;
  }
  // The counter, .alive-…, last: this process may be ended in between.
  for (const name of ours.sort().reverse()) {
    const path = join(directory, name);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
    if (path !== counter) log.info({ path }, 'removed a leftover of a killed process');
  }
}

/** 0 where there is no counter yet, or one that its owner has just created. */
async function readCounter(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  const count = Math.round((stats?.mtimeMs ?? 0) / 1000);
  return count <= MAX_MISSED ? count : 0;
}

async function setCounter(path: string, count: number): Promise<void> {
  try {
    await lutimes(path, 0, count);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(path, { mode: 0o700 });
    await lutimes(path, 0, count);
  }
}
