import { expect } from 'vitest';

/** Waits until the condition holds, for as long as a very busy machine may take; else the test fails. */
export const until = (condition: () => boolean | Promise<boolean>) =>
  expect.poll(condition, { interval: 20 }).toBe(true);
