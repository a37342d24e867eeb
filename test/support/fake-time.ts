import { onTestFinished, vi } from 'vitest';

type Clock = 'performance' | 'Date' | 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval';

/** Stops these until the test has ended. Only the test lets time pass for them. */
export function useFakeTime(...toFake: Clock[]): void {
  vi.useFakeTimers({ toFake });
  onTestFinished(() => void vi.useRealTimers());
}
