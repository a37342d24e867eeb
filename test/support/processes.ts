import { spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { until } from './until.js';

/** The letter for the state of a process; undefined when it is gone. */
function stateOf(pid: number): string | undefined {
  try {
    // proc(5): the state follows the command, which stands in brackets and may hold brackets itself.
    return /.*\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
  } catch {
    return undefined;
  }
}

/** True while the process runs; one that has ended and waits for its parent to notice (state Z) does not. */
export const isRunning = (pid: number) => !['Z', 'X', undefined].includes(stateOf(pid));

/** Stops a process until SIGCONT. Resolves when it has stopped, some time after the signal. */
export async function suspend(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  await until(() => stateOf(child.pid ?? 0) === 'T');
}

/** The command line that ends a server with the process that starts it, however that ends, where setpriv is installed. */
export const boundToUs = (signal: 'TERM' | 'KILL', command: string[]) =>
  hasSetpriv ? ['setpriv', '--pdeathsig', signal, ...command] : command;

const hasSetpriv = spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0;

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
