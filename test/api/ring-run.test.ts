import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, type RunError } from '../../src/ring/run.js';
import { isRunning } from '../support/processes.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const env = { PATH: process.env['PATH'] ?? '' };

async function shell(
  script: string,
  { timeoutMs = 60_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const cwd = await tempDirectory();
  const pid = async () => Number(await readFile(join(cwd, 'pid'), 'utf8').catch(() => 0));
  const outcome = run('/bin/sh', ['-c', script], { cwd, env, timeoutMs, signal });
  return { outcome, cwd, pid };
}

/** Checks that the process whose id the script wrote has ended, or does so soon. */
async function expectGone(pid: () => Promise<number>): Promise<void> {
  const child = await pid();
  expect(child).toBeGreaterThan(1);
  await until(() => !isRunning(child));
}

/** A child that would run on for much longer than a test may take. */
const CHILD = 'sleep 300 & echo $! >pid;';

describe('run ends the whole process group', () => {
  it.each([
    ['at a time-out', `${CHILD} wait`, 'timed_out'],
    ['at a time-out, SIGTERM ignored', `trap '' TERM; ${CHILD} wait; sleep 300`, 'timed_out'],
    ['at too much output', `${CHILD} exec yes`, 'output_limit'],
    ['at too much on stderr', `${CHILD} exec yes >&2`, 'output_limit'],
    ['when the launcher was killed', `${CHILD} kill -9 $$`, 'killed'],
  ])('%s', async (_title, script, reason) => {
    const { outcome, pid } = await shell(script, { timeoutMs: reason === 'timed_out' ? 1500 : 60_000 });
    await expect(outcome).rejects.toMatchObject({ reason });
    await expectGone(pid);
  });

  it('at an abort', async () => {
    const abort = new AbortController();
    const { outcome, pid } = await shell(`${CHILD} wait`, { signal: abort.signal });
    const failure = expect(outcome).rejects.toMatchObject({ reason: 'aborted' });
    await until(async () => (await pid()) > 0);
    abort.abort();
    await failure;
    await expectGone(pid);
  });

  it.each([
    ['holds its output', CHILD],
    ['has closed its output', 'sleep 300 >/dev/null 2>&1 & echo $! >pid;'],
  ])('when the launcher ends before a child that %s', async (_title, child) => {
    const { outcome, pid } = await shell(`${child} echo done`);
    expect(await outcome).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    await expectGone(pid);
  });
});

describe('run', () => {
  it('gives exit status, stdout and stderr apart', async () => {
    const { outcome } = await shell('echo out; echo err >&2; exit 3');
    expect(await outcome).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it('does not wait for a child that left the group and holds the output', async () => {
    // proc(5): the sixth field is the session, which setsid leaves a moment after its start.
    const hasLeft = 'until [ "$(cut -d " " -f 6 /proc/$!/stat)" = $! ]; do sleep 0.01; done';
    const { outcome, pid } = await shell(`setsid sleep 300 & echo $! >pid; ${hasLeft}; echo done`);
    expect(await outcome).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    const child = await pid();
    expect(isRunning(child)).toBe(true);
    process.kill(child, 'SIGKILL');
  });

  it('starts nothing when it is aborted already', async () => {
    const signal = AbortSignal.abort();
    // With this argument every attempt to start a program fails.
    const outcome = run('/bin/sh', ['\0'], { cwd: '/', env, timeoutMs: 60_000, signal });
    await expect(outcome).rejects.toMatchObject({ reason: 'aborted' });
  });

  it.each([
    ['is not there', 0, 'ENOENT'],
    ['is not executable', 0o644, 'EACCES'],
  ])('reports that a program that %s was not started', async (_title, mode, code) => {
    const file = join(await tempDirectory(), 'program');
    if (mode) await writeFile(file, '#!/bin/sh\n', { mode });
    await expect(run(file, [], { cwd: '/', env, timeoutMs: 60_000 })).rejects.toMatchObject({
      reason: 'not_started',
      message: expect.stringContaining(code) as string,
    });
  });

  it('never puts arguments or output into an error', async () => {
    const { outcome } = await shell('echo SECRET-OUTPUT; echo SECRET-OUTPUT >&2; exec yes # SECRET-ARGUMENT');
    const error = await outcome.catch((failure: unknown) => failure as RunError);
    expect(error).toMatchObject({ reason: 'output_limit' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
  });
});
