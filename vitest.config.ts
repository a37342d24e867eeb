import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes, JVMs among them, on machines of two cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
