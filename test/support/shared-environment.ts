import { builtinEnvironments, type Environment } from 'vitest/runtime';

declare global {
  /** Calls this after the last test of this process. */
  var afterLastTest: (clean: () => Promise<unknown>) => void;
}

/** Node.js, for tests whose files share what they have started. */
export default {
  ...builtinEnvironments.node,
  name: 'shared',
  setup(global: typeof globalThis) {
    const cleaners: (() => Promise<unknown>)[] = [];
    global.afterLastTest = (clean) => cleaners.push(clean);
    return {
      async teardown() {
        for (const clean of cleaners) await clean();
      },
    };
  },
} satisfies Environment;
