import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../src/ring/run.js';
import { isRunning } from './support/processes.js';
import { eventually } from './support/service.js';
import { tempDirectory } from './support/temp.js';

const env = { PATH: process.env['PATH'] ?? '' };

async function shell(
  script: string,
  { timeoutMs = 10_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const cwd = await tempDirectory();
  const startedAt = Date.now();
  const outcome = await run('/bin/sh', ['-c', script], { cwd, env, timeoutMs, signal }).then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  );
  return { ...outcome, cwd, tookMs: Date.now() - startedAt };
}

/** Checks that the process whose id the script wrote has ended. */
async function expectGone(cwd: string): Promise<void> {
  const pid = Number(await readFile(join(cwd, 'pid'), 'utf8'));
  expect(pid).toBeGreaterThan(1);
  expect(await eventually(() => !isRunning(pid), 1000)).toBe(true);
}

const CHILD = 'sleep 300 & echo $! >pid;';

describe('run', () => {
  it('gives exit status, stdout and stderr apart', async () => {
    const { result } = await shell('echo out; echo err >&2; exit 3');
    expect(result).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it.each([
    ['a time-out', `${CHILD} wait`, 'timed_out'],
    ['a time-out, SIGTERM ignored', `trap '' TERM; ${CHILD} wait; sleep 300`, 'timed_out'],
    ['too much output', `${CHILD} exec yes`, 'flooded'],
    ['too much on stderr', `${CHILD} exec yes >&2`, 'flooded'],
    ['a launcher that was killed', `${CHILD} kill -9 $$`, 'killed'],
  ])('ends the whole group after %s', async (_title, script, reason) => {
    const { error, cwd } = await shell(script, { timeoutMs: 800 });
    expect(error).toMatchObject({ reason });
    await expectGone(cwd);
  });

  it('ends the whole group after an abort', async () => {
    const abort = new AbortController();
    setTimeout(() => {
      abort.abort();
    }, 300);
    const { error, cwd } = await shell(`${CHILD} wait`, { signal: abort.signal });
    expect(error).toMatchObject({ reason: 'aborted' });
    await expectGone(cwd);
  });

  it.each([
    ['holds its output', CHILD],
    ['has closed its output', 'sleep 300 >/dev/null 2>&1 & echo $! >pid;'],
  ])('ends a child that outlives its launcher and %s, and does not wait for it', async (_title, child) => {
    const { result, cwd, tookMs } = await shell(`${child} echo done`);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    expect(tookMs).toBeLessThan(2000);
    await expectGone(cwd);
  });

  it('does not wait for a child that left the group and holds the output', async () => {
    const { result, cwd, tookMs } = await shell('setsid sleep 300 & echo $! >pid; sleep 0.1; echo done');
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    expect(tookMs).toBeLessThan(2000);
    process.kill(Number(await readFile(join(cwd, 'pid'), 'utf8')), 'SIGKILL');
  });

  it('starts nothing when it is aborted already', async () => {
    const { error, cwd } = await shell('touch ran', { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ reason: 'aborted' });
    await expect(readFile(join(cwd, 'ran'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['is not there', 0, 'ENOENT'],
    ['is not executable', 0o644, 'EACCES'],
  ])('tells that a program that %s was not started', async (_title, mode, code) => {
    const file = join(await tempDirectory(), 'program');
    if (mode) await writeFile(file, '#!/bin/sh\n', { mode });
    const failure = run(file, [], { cwd: '/', env, timeoutMs: 1000 });
    await expect(failure).rejects.toMatchObject({
      reason: 'not_started',
      message: expect.stringContaining(code) as string,
    });
  });

  it('never puts arguments or output into an error', async () => {
    const { error } = await shell('echo SECRET-OUTPUT; echo SECRET-OUTPUT >&2; sleep 30 # SECRET-ARGUMENT', {
      timeoutMs: 300,
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
  });
});
