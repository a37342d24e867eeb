import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A process of ring that was just killed may still be writing into its directory, so it is tried several times. */
const PATIENT = { recursive: true, force: true, maxRetries: 10 };
/** The same in less than a second, because an exit waits for it. */
const HASTY = { ...PATIENT, maxRetries: 3 };

/**
 * Removes a file or directory of ours with all that is in it, even if ring has taken its rights away.
 * @throws the system's error when that is not possible
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, PATIENT);
  } catch {
    giveBackRights(path);
    await rm(path, PATIENT);
  }
}

/** As {@link removeTree}, for a process that is about to exit. */
export function removeTreeSync(path: string): void {
  try {
    rmSync(path, HASTY);
  } catch {
    giveBackRights(path);
    rmSync(path, HASTY);
  }
}

/** Lets this user list and change all directories of a tree. Follows no symbolic link. */
function giveBackRights(path: string): void {
  if (!lstatSync(path).isDirectory()) return;

  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) giveBackRights(join(path, name));
}
