import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { findWholeChromium } from './scripts/chromium.mjs';
import { missing, tags } from './test/support/tools.js';

/** Builds what the tests run, so that they can't run an older one. */
const BUILD = './scripts/build.mjs';
/** What is long runs in what users have. */
const CHROMIUM = findWholeChromium() ?? '';

export default defineConfig({
  test: {
    // A day here is not the day in UTC, so that what confuses them fails.
    env: { TZ: 'America/New_York' },
    // A busy machine never reaches this, and what hangs shows soon.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Below the limit of a test, so that it tells what it waited for.
    expect: { requireAssertions: true, poll: { timeout: 45_000 } },
    // System tests wait more than they compute.
    maxWorkers: availableParallelism() + 1,
    tags: tags.map((name) => ({ name, ...(missing.includes(name) && { skip: true }) })),
    reporters: ['default', './test/support/skipped-reporter.ts'],
    // Files that no test loads count as well.
    coverage: { include: ['src/**/*.{ts,tsx}'], reporter: ['text', 'html'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          // One process runs many files. Not a thread: some of them set the umask.
          pool: 'forks',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['test/page/**/*.test.ts'],
          environment: 'happy-dom',
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          isolate: false,
          globalSetup: BUILD,
        },
      },
      ...['browser', 'system', 'long'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          globalSetup: BUILD,
          sequence: { groupOrder: 1 },
          // Archives of several JREs, soaks and pages at every width take minutes.
          ...(name === 'long' && { testTimeout: 240_000, hookTimeout: 240_000, env: { CHROMIUM } }),
        },
      })),
    ],
  },
});
