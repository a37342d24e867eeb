import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runProgram, type ProgramError, type ProgramOptions } from '../../../src/process/run-program.js';
import { transcriptPath } from '../../support/fake-ring.js';
import { isRunning } from '../../support/processes.js';
import { tempDirectory } from '../../support/temp.js';
import { until } from '../../support/until.js';

const OPTIONS: ProgramOptions = {
  directory: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  timeoutMs: 60_000,
  maxStdout: 1_000,
  maxStderr: 1_000,
  signal: undefined,
};

async function shell(script: string, options: Partial<ProgramOptions> = {}) {
  const result = await runProgram('/bin/sh', ['-c', script], { ...OPTIONS, ...options });
  return { ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
}

it('returns exit status, stdout and stderr apart', async () => {
  const result = await shell('echo out; echo err >&2; exit 3');
  expect(result).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
});

it.each([
  ['does not exist', '/nonexistent/program', 'ENOENT'],
  ['is not executable', transcriptPath('list-one-ru.txt'), 'EACCES'],
  ['is a directory', '/usr/bin/', 'EACCES'],
  ['is below a file', '/etc/passwd/program', 'ENOTDIR'],
])('reports why a program that %s could not be started', async (_title, program, code) => {
  const failure = { reason: 'not_started', message: `could not be started: ${code}` };
  await expect(runProgram(program, [], OPTIONS)).rejects.toMatchObject(failure);
});

it.each(['maxStdout', 'maxStderr'] as const)('kills a program that prints more than %s', async (limit) => {
  const script = 'printf %100s x; printf %100s x >&2';
  await expect(shell(script, { [limit]: 100 })).resolves.toMatchObject({ exitCode: 0 });
  await expect(shell(script, { [limit]: 99 })).rejects.toMatchObject({ reason: 'output_limit' });
});

it('passes on nothing of the environment of this process', async () => {
  vi.stubEnv('JWT_SECRET', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stdout } = await shell('exec env');
  const names = stdout.split('\n').map((line) => line.split('=', 1)[0]);
  // The shell itself adds PWD.
  expect(names.toSorted()).toEqual(['', 'PATH', 'PWD']);
});

it('kills the whole process group at an abort, without a signal that it could catch', async () => {
  const directory = await tempDirectory();
  const pid = join(directory, 'pid');
  const abort = new AbortController();
  const script = `trap 'touch caught' TERM; sleep 300 & echo $! >new; mv new pid; wait`;
  const failure = expect(shell(script, { directory, signal: abort.signal })).rejects;
  await until(() => existsSync(pid));
  abort.abort();
  await failure.toMatchObject({ reason: 'aborted' });
  await until(() => !isRunning(Number(readFileSync(pid, 'utf8'))));
  expect(readdirSync(directory)).toEqual(['pid']);
});

it('kills a child with closed output when the program itself has ended', async () => {
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
  const attempt = shell('\0', { signal: AbortSignal.abort() });
  await expect(attempt).rejects.toMatchObject({ reason: 'aborted' });
});

it('never puts arguments or output into an error', async () => {
  const outcome = shell('echo SECRET-OUTPUT; echo SECRET-OUTPUT >&2; exec yes # SECRET-ARGUMENT');
  const error = await outcome.catch((failure: unknown) => failure as ProgramError);
  expect(error).toMatchObject({ reason: 'output_limit' });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
});
