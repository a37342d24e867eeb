import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory for one test, removed when the test has ended. */
export async function tempDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ld-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/**
 * Everything that lies in the directories for uploads and decodes, except the signs of life of their processes; empty
 * when nothing was left behind.
 */
export function filesIn({ uploadDir, tmpBase }: { uploadDir: string; tmpBase: string }): string[] {
  return [uploadDir, tmpBase].flatMap((base) => {
    try {
      const names = readdirSync(base, { recursive: true }) as string[];
      return names.filter((name) => !name.startsWith('.alive-'));
    } catch {
      return [`${base}: changed while it was read`];
    }
  });
}

/** Polls until the condition holds; the limit is generous, for a machine that is busy. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs = 15_000,
): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (Date.now() < end) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}
