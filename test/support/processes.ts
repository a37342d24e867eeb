import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** True while the process runs; one that has ended and waits for its parent to notice (state Z) does not. */
export function isRunning(pid: number): boolean {
  try {
    // proc(5): the state follows the command, which stands in brackets and may hold brackets itself.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Ids of the running processes that work in a directory or below it. */
export function processesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory) && isRunning(pid);
      } catch {
        return false;
      }
    });
}
