import { expect, it, vi } from 'vitest';
import { MemoryStore } from '../../../src/access/memory-store.js';
import { useFakeTime } from '../../support/fake-time.js';

const WINDOW_MS = 60_000;

/** A store whose time only passes in steps of the test. */
function newStore() {
  useFakeTime('performance', 'Date');
  const store = new MemoryStore(WINDOW_MS);
  const hits = async (client: string) => (await store.count(client)).hits;
  return { store, hits };
}

it('each of several requests at once gets its own count', async () => {
  const { hits } = newStore();
  expect(await Promise.all(['a', 'a', 'b', 'a', 'a'].map(hits))).toEqual([1, 2, 1, 3, 4]);
});

it('a window begins with the first request of its client, and ends for each client alone', async () => {
  const { store, hits } = newStore();
  expect(await store.count('a')).toEqual({ hits: 1, leftMs: WINDOW_MS });
  vi.advanceTimersByTime(40_000);
  expect(await store.count('a')).toEqual({ hits: 2, leftMs: 20_000 });
  expect(await hits('b')).toBe(1);
  vi.advanceTimersByTime(20_000);
  expect(await store.count('a')).toEqual({ hits: 1, leftMs: WINDOW_MS });
  expect(await store.count('b')).toEqual({ hits: 2, leftMs: 40_000 });
});

it('a client that is peeked at is not counted and begins no window', async () => {
  const { store, hits } = newStore();
  expect(await store.peek('a')).toEqual({ hits: 0, leftMs: WINDOW_MS });
  await hits('a');
  vi.advanceTimersByTime(10_000);
  const used = { hits: 1, leftMs: 50_000 };
  expect([await store.peek('a'), await store.peek('a')]).toEqual([used, used]);
  vi.advanceTimersByTime(50_000);
  expect(await store.peek('a')).toEqual({ hits: 0, leftMs: WINDOW_MS });
});

it('of more than 100,000 clients it forgets the one whose window ends first', async () => {
  const { store, hits } = newStore();
  for (let i = 0; i < 100_000; i++) await store.count(String(i));
  expect([await hits('0'), await hits('one more')]).toEqual([2, 1]);
  expect([await hits('1'), await hits('one more'), await hits('0')]).toEqual([2, 2, 1]);
});

it('a clock that is set back or forward changes no window', async () => {
  const { hits } = newStore();
  await hits('a');
  for (const day of [-86_400_000, 86_400_000]) vi.setSystemTime(Date.now() + day);
  vi.setSystemTime(Date.now() - 86_400_000);
  expect(await hits('a')).toBe(2);
});
