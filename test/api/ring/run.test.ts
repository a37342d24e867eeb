import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { RingError } from '../../../src/ring/ring-error.js';
import { run } from '../../../src/ring/run.js';
import { transcriptPath } from '../../support/fake-ring.js';
import { isRunning } from '../../support/processes.js';
import { tempDirectory } from '../../support/temp.js';
import { until } from '../../support/until.js';

const HOW = { language: 'en', env: { PATH: process.env['PATH'] }, timeoutMs: 60_000 } as const;
const shell = (script: string, directory = '/', signal?: AbortSignal) =>
  run(['-c', script], { ...HOW, launcher: '/bin/sh', directory, signal });

it('gives exit status, stdout and stderr apart', async () => {
  const outcome = await shell('echo out; echo err >&2; exit 3');
  expect(outcome).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n', isUtf8: true });
});

it('reads a line that is not UTF-8 as windows-1251, and says so', async () => {
  const { stdout, isUtf8 } = await shell(
    "printf 'Имя: '; sleep 0.1; printf 'Иван\\n\\310\\342\\340\\355\\n'",
  );
  expect({ stdout, isUtf8 }).toEqual({ stdout: 'Имя: Иван\nИван\n', isUtf8: false });
});

it.each([
  ['is not there', '/nonexistent/ring', 'ENOENT'],
  ['is not executable', transcriptPath('list-one-ru.txt'), 'EACCES'],
  ['is a directory', '/usr/bin/', 'EACCES'],
])('tells why a launcher that %s could not be started', async (_title, launcher, code) => {
  const failure = { reason: 'not_started', message: `could not be started: ${code}` };
  await expect(run([], { ...HOW, launcher })).rejects.toMatchObject(failure);
});

it('passes nothing on from the environment of the service', async () => {
  vi.stubEnv('JWT_SECRET', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stdout } = await shell('exec env');
  const names = stdout.split('\n').map((line) => line.split('=', 1)[0]);
  // The shell itself adds PWD.
  expect(names.toSorted()).toEqual(['', 'LC_ALL', 'PATH', 'PWD', 'RING_OPTS']);
});

it('kills the whole process group at an abort, without a signal that it could catch', async () => {
  const directory = await tempDirectory();
  const pid = join(directory, 'pid');
  const abort = new AbortController();
  const script = `trap 'touch caught' TERM; sleep 300 & echo $! >new; mv new pid; wait`;
  const failure = expect(shell(script, directory, abort.signal)).rejects;
  await until(() => existsSync(pid));
  abort.abort();
  await failure.toMatchObject({ reason: 'aborted' });
  await until(() => !isRunning(Number(readFileSync(pid, 'utf8'))));
  expect(readdirSync(directory)).toEqual(['pid']);
});

it('kills a child with closed output when the launcher itself has ended', async () => {
  const { stdout } = await shell('sleep 300 >/dev/null 2>&1 & echo $!');
  await until(() => !isRunning(Number(stdout)));
});

it('does not wait for a child that left the group and holds the output', async () => {
  // proc(5): the sixth field is the session, which setsid leaves a moment after its start.
  const hasLeft = 'until [ "$(cut -d " " -f 6 /proc/$!/stat)" = $! ]; do sleep 0.01; done';
  const { stdout } = await shell(`setsid sleep 300 & ${hasLeft}; echo $!`);
  expect(isRunning(Number(stdout))).toBe(true);
  process.kill(Number(stdout), 'SIGKILL');
});

it('starts nothing when it is aborted already', async () => {
  // With this argument every attempt to start a program fails.
  await expect(shell('\0', '/', AbortSignal.abort())).rejects.toMatchObject({ reason: 'aborted' });
});

it('never puts arguments or output into an error', async () => {
  const outcome = shell('echo SECRET-OUTPUT; echo SECRET-OUTPUT >&2; exec yes # SECRET-ARGUMENT');
  const error = await outcome.catch((failure: unknown) => failure as RingError);
  expect(error).toMatchObject({ reason: 'output_limit' });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
});
