import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { missing, tags } from './test/support/tools.js';

export default defineConfig({
  test: {
    // A day here is not the day in UTC, so that what confuses them fails.
    env: { TZ: 'America/New_York' },
    // Limits for a machine whose cores are all busy; nothing that works comes near them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // System tests wait more than they compute.
    maxWorkers: availableParallelism() + 1,
    tags: tags.map((name) => ({ name, ...(missing.includes(name) && { skip: true }) })),
    reporters: ['default', './test/support/skipped-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          globalSetup: './test/support/build-page.ts',
        },
      },
      ...['browser', 'system', 'long'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          globalSetup: './test/support/build.ts',
          sequence: { groupOrder: 1 },
        },
      })),
    ],
  },
});
