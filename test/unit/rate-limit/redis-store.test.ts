import type { Options } from 'express-rate-limit';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { FallbackStore, type SharedCount, type SharedCounter } from '../../../src/rate-limit/redis-store.js';

const OPTIONS = { windowMs: 60_000, limit: 3 } as Options;

/** Counts as Redis does, for several replicas, and can fail in the ways in which Redis does. */
class SharedRedis implements SharedCounter {
  private counts = new Map<string, { hits: number; endsAt: number }>();
  connected = true;
  state: 'up' | 'failing' | 'silent' = 'up';
  asked = 0;

  isConnected = () => this.connected;

  /** Loses all counts. */
  restart(): void {
    this.counts.clear();
  }

  async count(key: string, windowMs: number): Promise<SharedCount> {
    this.asked++;
    if (this.state === 'failing') throw new Error('LOADING Redis is loading the dataset in memory');
    if (this.state === 'silent') await new Promise(() => undefined);
    const now = performance.now();
    const known = this.counts.get(key);
    const count = known && known.endsAt > now ? known : { hits: 0, endsAt: now + windowMs };
    count.hits++;
    this.counts.set(key, count);
    return { hits: count.hits, leftMs: count.endsAt - now };
  }
}

/** The limiter's store of one replica. */
function replicaOf(shared: SharedRedis) {
  const messages: string[] = [];
  const log = pino({}, { write: (line: string) => messages.push((JSON.parse(line) as { msg: string }).msg) });
  const store = new FallbackStore(shared, log);
  store.init(OPTIONS);
  const hit = async (client = 'client') => (await store.increment(client)).totalHits;
  return { store, hit, messages };
}

it('replicas share their counts', async () => {
  const shared = new SharedRedis();
  const [one, two] = [replicaOf(shared), replicaOf(shared)];
  expect([await one.hit(), await two.hit(), await one.hit()]).toEqual([1, 2, 3]);
  expect(one.store.isShared).toBe(true);
});

it.each(['disconnected', 'failing', 'silent'] as const)(
  'while Redis is %s the local count goes on from what this replica has seen',
  async (fault) => {
    const shared = new SharedRedis();
    const { hit } = replicaOf(shared);
    expect([await hit(), await hit()]).toEqual([1, 2]);
    if (fault === 'disconnected') shared.connected = false;
    else shared.state = fault;
    expect([await hit(), await hit()]).toEqual([3, 4]);
  },
);

it('the larger count decides when Redis comes back without its counts', async () => {
  const shared = new SharedRedis();
  const [one, two] = [replicaOf(shared), replicaOf(shared)];
  expect([await one.hit(), await one.hit()]).toEqual([1, 2]);
  shared.restart();
  expect([await one.hit(), await one.hit()]).toEqual([3, 4]);
  expect(await two.hit()).toBe(2);
});

it('an outage and its end are each logged once', async () => {
  const shared = new SharedRedis();
  const { store, hit, messages } = replicaOf(shared);
  await store.tryOut();
  shared.state = 'failing';
  for (let i = 0; i < 5; i++) await hit(`a${i}`);
  store.markFailed(new Error('ECONNREFUSED'));
  expect(store.isShared).toBe(false);
  shared.state = 'up';
  for (let i = 0; i < 5; i++) await hit(`b${i}`);
  expect(messages).toEqual([
    expect.stringContaining('shared'),
    expect.stringContaining('unreachable'),
    expect.stringContaining('shared'),
  ]);
});

it.each([
  ['succeeds', 'up', true],
  ['fails', 'failing', false],
] as const)('the start waits until the first attempt %s', async (_title, state, isShared) => {
  const shared = new SharedRedis();
  shared.state = state;
  const { store } = replicaOf(shared);
  await Promise.all([store.tryOut(), store.firstAttempt]);
  expect(store.isShared).toBe(isShared);
});

it('asks a Redis that does not answer only every few seconds, and one that refuses each time', async () => {
  const shared = new SharedRedis();
  const { store } = replicaOf(shared);
  const ask = async (times: number) => {
    const before = shared.asked;
    for (let i = 0; i < times; i++) await store.increment(`client-${i}`);
    return shared.asked - before;
  };
  shared.state = 'failing';
  expect(await ask(3)).toBe(3);
  shared.state = 'silent';
  expect(await ask(3)).toBe(1);
  shared.state = 'up';
  await store.tryOut();
  expect(store.isShared).toBe(true);
});

it('does not count in Redis what the local count refuses', async () => {
  const shared = new SharedRedis();
  const { hit } = replicaOf(shared);
  for (let i = 0; i < 3; i++) await hit();
  shared.restart();
  expect([await hit(), await hit()]).toEqual([4, 5]);
  expect(shared.asked).toBe(3);
});

it('both windows end together', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const shared = new SharedRedis();
  const [one, two] = [replicaOf(shared), replicaOf(shared)];
  await one.hit();
  vi.advanceTimersByTime(OPTIONS.windowMs - 1_000);
  expect(await two.hit()).toBe(2);
  vi.advanceTimersByTime(999);
  expect((await two.store.increment('client')).resetTime?.getTime()).toBe(Date.now() + 1);
  vi.advanceTimersByTime(1);
  expect([await two.hit(), await one.hit()]).toEqual([1, 2]);
});

it('Redis tells when the window ends where both counts are equal', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const shared = new SharedRedis();
  const [one, two] = [replicaOf(shared), replicaOf(shared)];
  shared.connected = false;
  await one.hit();
  vi.advanceTimersByTime(10_000);
  shared.connected = true;
  expect([await one.hit(), await two.hit()]).toEqual([2, 2]);
  const { totalHits, resetTime } = await one.store.increment('client');
  expect([totalHits, resetTime?.getTime()]).toEqual([3, Date.now() + OPTIONS.windowMs]);
});
