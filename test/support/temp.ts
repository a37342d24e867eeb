import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, TestRunner } from 'vitest';
import { processesIn } from './processes.js';

/** Whether a test is running; else its file is being read. */
export const isInTest = () => TestRunner.getCurrentTest() !== undefined;

/** Cleans up when the test has ended that asks for it, or the file, when it asks outside of its tests. */
export function atTheEnd(clean: () => unknown): void {
  const hook = isInTest() ? onTestFinished : afterAll;
  hook(async () => {
    await clean();
  });
}

/** A directory that is removed {@link atTheEnd}. */
export async function tempDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ld-test-'));
  atTheEnd(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/**
 * Everything that lies in the directories for uploads and decodes, but for what a poll writes and removes at once; empty when
 * nothing was left behind.
 */
export function filesIn({ uploadDir, tmpBase }: { uploadDir: string; tmpBase: string }): string[] {
  return [uploadDir, tmpBase].flatMap((base) => {
    try {
      const names = readdirSync(base, { recursive: true }) as string[];
      return names.filter((name) => !name.startsWith('probe-'));
    } catch {
      return [`${base}: changed while it was read`];
    }
  });
}

/** Waits until no process of ring and no file of a license is left. */
export const expectNothingLeft = (service: { uploadDir: string; tmpBase: string }) =>
  expect.poll(() => [...processesIn(service.tmpBase), ...filesIn(service)]).toEqual([]);
