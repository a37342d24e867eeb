import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BoundedMemoryStore } from '../../../src/rate-limit/memory-store.js';

const LIMIT = 3;
const WINDOW_MS = 60_000;

function storeFor(maxClients: number): BoundedMemoryStore {
  const store = new BoundedMemoryStore(maxClients);
  store.init({ windowMs: WINDOW_MS, limit: LIMIT } as Parameters<typeof store.init>[0]);
  return store;
}

const hits = (store: BoundedMemoryStore, key: string, times = 1) =>
  Array.from({ length: times }, () => store.increment(key).totalHits).at(-1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('counts each client in a window that begins with its first request', () => {
  const store = storeFor(10);
  const { resetTime } = store.increment('a');
  expect(resetTime?.getTime()).toBe(Date.now() + WINDOW_MS);
  vi.advanceTimersByTime(WINDOW_MS - 1);
  expect(store.increment('a')).toMatchObject({ totalHits: 2, resetTime });
  expect(hits(store, 'b')).toBe(1);
  vi.advanceTimersByTime(1);
  expect(hits(store, 'a')).toBe(1);
  expect(hits(store, 'b')).toBe(2);
});

it('forgets the oldest client when there are too many', () => {
  const store = storeFor(2);
  for (const key of ['old', 'young', 'new']) hits(store, key);
  expect(store.get('old')).toBeUndefined();
  expect([hits(store, 'young'), hits(store, 'new')]).toEqual([2, 2]);
});

it('never frees a client over the limit while others are under it, however many come', () => {
  const store = storeFor(100);
  hits(store, 'over', LIMIT + 1);
  for (let i = 0; i < 10_000; i++) hits(store, `flood-${i}`);
  expect(hits(store, 'over')).toBe(LIMIT + 2);
});

it('keeps its bound even when all clients are over the limit', () => {
  const store = storeFor(5);
  for (let i = 0; i < 50; i++) hits(store, `client-${i}`, LIMIT + 1);
  const remembered = Array.from({ length: 50 }, (_, i) => store.get(`client-${i}`)).filter(Boolean);
  expect(remembered.length).toBeLessThanOrEqual(5);
  expect(hits(store, 'client-49')).toBe(LIMIT + 2);
});

it('makes room for new clients by those whose window has ended first', () => {
  const store = storeFor(3);
  hits(store, 'over', LIMIT + 1);
  vi.advanceTimersByTime(WINDOW_MS - 1);
  for (const key of ['a', 'b']) hits(store, key);
  vi.advanceTimersByTime(1);
  hits(store, 'c');
  expect(['a', 'b', 'c'].map((key) => store.get(key)?.totalHits)).toEqual([1, 1, 1]);
});

it('lets a client over the limit begin anew once, even after one whose window ends later', () => {
  const store = storeFor(10);
  store.increment('early');
  vi.advanceTimersByTime(1);
  hits(store, 'late', LIMIT + 1);
  hits(store, 'early', LIMIT);
  vi.advanceTimersByTime(WINDOW_MS - 1);
  expect(hits(store, 'early', LIMIT + 1)).toBe(LIMIT + 1);
});

it.each([3_600_000, -7_200_000])('a clock that is set by %i ms changes no window', (step) => {
  const store = storeFor(10);
  store.increment('a');
  vi.setSystemTime(Date.now() + step);
  const { totalHits, resetTime } = store.increment('a');
  expect([totalHits, resetTime?.getTime()]).toEqual([2, Date.now() + WINDOW_MS]);
  vi.advanceTimersByTime(WINDOW_MS);
  expect(hits(store, 'a')).toBe(1);
});

it('a window can be told to end sooner or later', () => {
  const store = storeFor(10);
  store.increment('a');
  store.endWindow('a', 10);
  store.endWindow('nobody', 10);
  vi.advanceTimersByTime(10);
  expect(store.get('a')).toBeUndefined();
});
