import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of its own for a test, removed when the test has ended. */
export async function tempDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ld-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
