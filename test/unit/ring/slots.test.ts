import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RingSlots } from '../../../src/ring/slots.js';

/** Lets everything happen that needs no input. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

interface Use {
  priority?: 'high' | 'normal';
  client?: string;
  signal?: AbortSignal;
}

/** Tasks by name that run until the test ends them. */
class Tasks {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(readonly slots: RingSlots) {}

  /** Starts or queues a task. */
  use(name: string, { priority = 'normal', client = name[0] ?? '', signal }: Use = {}): Promise<string> {
    return this.slots.use({ priority, client, signal }, async () => {
      this.begun.push(name);
      await new Promise<void>((end) => this.ends.set(name, end));
      return name;
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await settle();
  }

  /** Ends one task after the other until all have run. */
  async endAll(): Promise<string[]> {
    for (const name of this.begun) await this.end(name);
    expect(this.slots).toMatchObject({ running: 0, queued: 0 });
    return this.begun;
  }
}

const tasksOf = (concurrency: number) => new Tasks(new RingSlots(concurrency));

it('a task that is aborted while it waits rejects at once, never runs and takes no slot', async () => {
  const tasks = tasksOf(1);
  const abort = new AbortController();
  void tasks.use('x');
  const waiting = ['a1', 'a2'].map((name) => tasks.use(name, { signal: abort.signal }));
  waiting.push(tasks.use('b', { signal: AbortSignal.abort() }));
  void tasks.use('c');
  abort.abort();
  for (const task of waiting) {
    await expect(task).rejects.toMatchObject({ reason: 'aborted' });
  }
  expect(tasks.slots).toMatchObject({ running: 1, queued: 1 });
  expect(await tasks.endAll()).toEqual(['x', 'c']);
});

describe('the order', () => {
  it.each([
    ['is that of arrival for one client', 2, 'a1 a2 a3 a4 a5', 'a1 a2 a3 a4 a5'],
    ['puts high priority before normal', 1, 'x a b C D', 'x C D a b'],
    ['goes round the clients, however many tasks one has', 1, 'x a1 a2 a3 b1 b2 c1', 'x a1 b1 c1 a2 b2 a3'],
  ])('%s', async (_title, concurrency, names, order) => {
    const tasks = tasksOf(concurrency);
    for (const name of names.split(' '))
      void tasks.use(name, { priority: /^[A-Z]/.test(name) ? 'high' : 'normal' });
    await settle();
    expect(tasks.begun).toHaveLength(concurrency);
    expect(await tasks.endAll()).toEqual(order.split(' '));
  });

  it('lets a decode queue its next runs before a new decode gets its slot', async () => {
    const tasks = tasksOf(1);
    const decode = tasks.use('a').then(() => tasks.use('next', { priority: 'high' }));
    void tasks.use('b');
    await settle();
    expect(await tasks.endAll()).toEqual(['a', 'next', 'b']);
    await decode;
  });

  it('lets a client overtake 21 decodes of another one, which would take longer than DECODE_TIMEOUT_MS', async () => {
    const slots = new RingSlots(1);
    let runs = 0;
    const run = (client: string, priority: 'high' | 'normal') =>
      slots.use({ client, priority }, async () => {
        runs += 1;
        await settle();
      });
    const decode = async (client: string) => {
      await run(client, 'normal');
      await Promise.all([run(client, 'high'), run(client, 'high')]);
    };
    const busy = Array.from({ length: 21 }, () => decode('busy'));
    await decode('other');
    // Two decodes of the busy client, and the other one's own.
    expect(runs).toBe(9);
    await Promise.all(busy);
  });

  it('puts a client that left and comes back to the end', async () => {
    const tasks = tasksOf(1);
    const abort = new AbortController();
    void tasks.use('x');
    const left = tasks.use('a1', { signal: abort.signal });
    void tasks.use('b1');
    abort.abort();
    await expect(left).rejects.toMatchObject({ reason: 'aborted' });
    void tasks.use('a2');
    expect(await tasks.endAll()).toEqual(['x', 'b1', 'a2']);
  });
});

it('whatever comes, fails or is aborted, the slots are never exceeded and all free in the end', async () => {
  const task = fc.record({
    priority: fc.constantFrom('high' as const, 'normal' as const),
    client: fc.constantFrom('a', 'b', 'c'),
    fails: fc.boolean(),
    ticks: fc.integer({ min: 0, max: 3 }),
    abortAfter: fc.option(fc.integer({ min: 0, max: 5 })),
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(task, { maxLength: 15 }),
      async (concurrency, all) => {
        const slots = new RingSlots(concurrency);
        let running = 0;
        let most = 0;
        const uses = all.map(async ({ priority, client, fails, ticks, abortAfter }) => {
          const abort = new AbortController();
          const use = slots.use({ priority, client, signal: abort.signal }, async () => {
            most = Math.max(most, ++running);
            for (let i = 0; i < ticks; i++) await tick();
            running--;
            if (fails) throw new Error('boom');
          });
          use.catch(() => undefined);
          if (abortAfter !== null) {
            for (let i = 0; i < abortAfter; i++) await tick();
            abort.abort();
          }
          await use;
          return fails;
        });
        const settled = await Promise.allSettled(uses);
        expect(settled).not.toContainEqual({ status: 'fulfilled', value: true });
        await settle();
        expect(most).toBeLessThanOrEqual(concurrency);
        expect(slots).toMatchObject({ running: 0, queued: 0 });
      },
    ),
    { numRuns: 200 },
  );
});
