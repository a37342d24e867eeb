import type { Options } from 'express-rate-limit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { BoundedMemoryStore } from '../../../src/access/memory-store.js';

function newStore(): BoundedMemoryStore {
  const store = new BoundedMemoryStore();
  store.init({ windowMs: 60_000 } as Options);
  onTestFinished(() => store.shutdown());
  return store;
}

it('tells each of several requests at once its own count', async () => {
  const store = newStore();
  const counts = await Promise.all(['a', 'a', 'b', 'a', 'a'].map((client) => store.increment(client)));
  expect(counts.map(({ totalHits }) => totalHits)).toEqual([1, 2, 1, 3, 4]);
});

it('forgets all clients when there are more than 100,000, those of the last window included', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = newStore();
  for (let i = 0; i < 100_000; i++) {
    void store.increment(String(i));
    if (i === 50_000) vi.advanceTimersByTime(60_000);
  }
  expect((await store.increment('0')).totalHits).toBe(2);
  void store.increment('one more');
  expect((await store.increment('0')).totalHits).toBe(1);
});

it('forgets a client whose window began before the clock stepped back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = newStore();
  for (let i = 0; i < 3; i++) await store.increment('a');
  expect((await store.increment('a')).totalHits).toBe(4);
  vi.setSystemTime(Date.now() - 86_400_000);
  const { totalHits, resetTime } = await store.increment('a');
  expect([totalHits, Number(resetTime) - Date.now()]).toEqual([1, 60_000]);
});

it('tells what a client has used without counting, and no window where the next request begins one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = newStore();
  const noWindow = { totalHits: 0, resetTime: undefined };
  expect(await store.peek('a')).toEqual(noWindow);

  const { resetTime } = await store.increment('a');
  expect(await store.peek('a')).toEqual({ totalHits: 1, resetTime });
  expect(await store.peek('a')).toEqual({ totalHits: 1, resetTime });
  expect(await store.peek('b')).toEqual(noWindow);

  const begin = Date.now();
  vi.setSystemTime(begin + 60_000);
  expect(await store.peek('a')).toEqual(noWindow);
  vi.setSystemTime(begin - 86_400_000);
  expect(await store.peek('a')).toEqual(noWindow);
});
