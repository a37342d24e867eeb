import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { processesIn } from './processes.js';

/** A directory for one test, removed when the test has ended. */
export async function tempDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ld-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** Everything that lies in the directories for uploads and decodes; empty when nothing was left behind. */
export function filesIn({ uploadDir, tmpBase }: { uploadDir: string; tmpBase: string }): string[] {
  return [uploadDir, tmpBase].flatMap((base) => {
    try {
      return readdirSync(base, { recursive: true }) as string[];
    } catch {
      return [`${base}: changed while it was read`];
    }
  });
}

/** Waits until no process of ring and no file of a license is left. */
export const expectNothingLeft = (service: { uploadDir: string; tmpBase: string }) =>
  expect.poll(() => [...processesIn(service.tmpBase), ...filesIn(service)]).toEqual([]);
