import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findWholeChromium } from './scripts/chromium.mjs';
import { missing, tags } from './test/support/tools.js';

/** Builds what the tests run, so that they can't run an older one. */
const BUILD = './scripts/build.mjs';
/** What tests with a browser share: a service in a run, and a Chromium in a process. */
const SHARED = {
  globalSetup: [BUILD, './test/support/page-service.ts'],
  environment: './test/support/shared-environment.ts',
};
/** What is long runs in what users have. */
const CHROMIUM = findWholeChromium() ?? '';

// Each start of Node.js, by a test or as a service, loads its modules in less time with this.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node');

/**
 * Runs the projects in the order in which they stand below. So no long file of a quick project is left for the end, when
 * nothing else runs beside it.
 */
class ProjectOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const { projects } = this.ctx;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project));
  }
}

export default defineConfig({
  test: {
    // A day here is not the day in UTC, so that what confuses them fails.
    env: { TZ: 'America/New_York' },
    // A busy machine never reaches this, and what hangs shows soon.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    // Below the limit of a test, so that it tells what it waited for.
    expect: { requireAssertions: true, poll: { timeout: 45_000 } },
    // System tests wait more than they compute.
    maxWorkers: availableParallelism() + 2,
    // One process runs many files of a project, with one Chromium, and loads each module once.
    isolate: false,
    sequence: { sequencer: ProjectOrder },
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
          // Not threads: some files set the umask.
          pool: 'forks',
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
          globalSetup: BUILD,
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], ...SHARED },
      },
      {
        extends: true,
        test: { name: 'system', include: ['test/system/**/*.test.ts'], globalSetup: BUILD },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          ...SHARED,
          // Archives of several JREs, soaks and pages at every width take minutes.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          env: { CHROMIUM },
        },
      },
    ],
  },
});
