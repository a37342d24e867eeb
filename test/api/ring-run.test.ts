import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { run, type RunError } from '../../src/ring/run.js';
import { isRunning } from '../support/processes.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const HOW = { language: 'en', env: { PATH: process.env['PATH'] }, timeoutMs: 60_000 } as const;
const shell = (script: string, cwd: string, signal?: AbortSignal) =>
  run(['-c', script], { ...HOW, launcher: '/bin/sh', directory: cwd, signal });

it('gives exit status, stdout and stderr apart', async () => {
  const outcome = await shell('echo out; echo err >&2; exit 3', '/');
  expect(outcome).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
});

it('passes nothing on from the environment of the service', async () => {
  vi.stubEnv('JWT_SECRET', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stdout } = await shell('exec env', '/');
  const names = stdout.split('\n').map((line) => line.split('=', 1)[0]);
  // The shell itself adds PWD.
  expect(names.toSorted()).toEqual(['', 'LC_ALL', 'PATH', 'PWD', 'RING_OPTS']);
});

it('kills the whole process group at an abort, without a signal that it could catch', async () => {
  const cwd = await tempDirectory();
  const abort = new AbortController();
  const outcome = shell("trap 'touch caught' TERM; sleep 300 & echo $! >pid; wait", cwd, abort.signal);
  const failure = expect(outcome).rejects.toMatchObject({ reason: 'aborted' });
  const pid = async () => Number(await readFile(join(cwd, 'pid'), 'utf8').catch(() => 0));
  await until(async () => (await pid()) > 0);
  abort.abort();
  await failure;
  const child = await pid();
  await until(() => !isRunning(child));
  expect(await readdir(cwd)).toEqual(['pid']);
});

it('does not wait for a child that left the group and holds the output', async () => {
  // proc(5): the sixth field is the session, which setsid leaves a moment after its start.
  const hasLeft = 'until [ "$(cut -d " " -f 6 /proc/$!/stat)" = $! ]; do sleep 0.01; done';
  const { stdout } = await shell(`setsid sleep 300 & ${hasLeft}; echo $!`, '/');
  expect(isRunning(Number(stdout))).toBe(true);
  process.kill(Number(stdout), 'SIGKILL');
});

it('starts nothing when it is aborted already', async () => {
  // With this argument every attempt to start a program fails.
  const outcome = shell('\0', '/', AbortSignal.abort());
  await expect(outcome).rejects.toMatchObject({ reason: 'aborted' });
});

it('never puts arguments or output into an error', async () => {
  const outcome = shell('echo SECRET-OUTPUT; echo SECRET-OUTPUT >&2; exec yes # SECRET-ARGUMENT', '/');
  const error = await outcome.catch((failure: unknown) => failure as RunError);
  expect(error).toMatchObject({ reason: 'output_limit' });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
});
