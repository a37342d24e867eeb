import type { Options } from 'express-rate-limit';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { BoundedMemoryStore } from '../../../src/rate-limit/memory-store.js';
import { FallbackStore, type SharedCounter } from '../../../src/rate-limit/redis-store.js';

const OPTIONS = { windowMs: 60_000, limit: 3 } as Options;

/** Counts as Redis does, for several replicas, and can fail in the ways in which Redis does. */
class SharedStore implements SharedCounter {
  private counts = new BoundedMemoryStore();
  connected = true;
  state: 'up' | 'failing' | 'silent' = 'up';

  constructor() {
    this.restart();
  }

  /** Loses all counts. */
  restart(): void {
    this.counts = new BoundedMemoryStore();
    this.counts.init(OPTIONS);
  }

  async init(): Promise<void> {
    await this.answer();
  }

  async increment(key: string) {
    await this.answer();
    return this.counts.increment(key);
  }

  private async answer(): Promise<void> {
    if (this.state === 'failing') throw new Error('LOADING Redis is loading the dataset in memory');
    if (this.state === 'silent') await new Promise(() => undefined);
  }
}

/** The limiter's store of one replica. */
function replicaOf(shared: SharedStore) {
  const messages: string[] = [];
  const log = pino({}, { write: (line: string) => messages.push((JSON.parse(line) as { msg: string }).msg) });
  const store = new FallbackStore(shared, () => shared.connected, log);
  store.init(OPTIONS);
  const hit = async () => (await store.increment('client')).totalHits;
  return { store, hit, messages };
}

it('replicas share their counts', async () => {
  const shared = new SharedStore();
  const [one, two] = [replicaOf(shared), replicaOf(shared)];
  expect([await one.hit(), await two.hit(), await one.hit()]).toEqual([1, 2, 3]);
  expect(one.store.isShared).toBe(true);
});

it.each(['disconnected', 'failing', 'silent'] as const)(
  'while Redis is %s the local count goes on from what this replica has seen',
  async (fault) => {
    const shared = new SharedStore();
    const { hit } = replicaOf(shared);
    expect([await hit(), await hit()]).toEqual([1, 2]);
    if (fault === 'disconnected') shared.connected = false;
    else shared.state = fault;
    expect([await hit(), await hit()]).toEqual([3, 4]);
  },
);

it('the larger count decides when Redis comes back without its counts', async () => {
  const shared = new SharedStore();
  const [one, two] = [replicaOf(shared), replicaOf(shared)];
  expect([await one.hit(), await one.hit(), await one.hit()]).toEqual([1, 2, 3]);
  shared.restart();
  expect(await one.hit()).toBe(4);
  expect(await two.hit()).toBe(2);
});

it('an outage and its end are each logged once', async () => {
  const shared = new SharedStore();
  const { store, hit, messages } = replicaOf(shared);
  await store.connect();
  shared.state = 'failing';
  for (let i = 0; i < 5; i++) await hit();
  store.markUnreachable(new Error('ECONNREFUSED'));
  expect(store.isShared).toBe(false);
  shared.state = 'up';
  for (let i = 0; i < 5; i++) await hit();
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
  const shared = new SharedStore();
  shared.state = state;
  const { store } = replicaOf(shared);
  await Promise.all([store.connect(), store.firstAttempt]);
  expect(store.isShared).toBe(isShared);
});
