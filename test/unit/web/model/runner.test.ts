import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ofAnswer } from '../../../../src/web/page/model/facts.js';
import { License } from '../../../../src/web/page/model/license.js';
import { Model } from '../../../../src/web/page/model/model.js';
import { cellTexts } from '../../../../src/web/page/texts/cells.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded } from './licenses.js';

const TOKEN = 'aaa.bbb.ccc';

/** The service as the page sees it. A test says what each decode is answered. */
function service(
  answer: (count: number, request: RequestInit) => Response | Promise<Response>,
  status: () => number | Promise<number> = () => 200,
) {
  const log: string[] = [];
  let active = 0;
  let most = 0;
  vi.stubGlobal('fetch', async (path: string, request: RequestInit = {}) => {
    log.push(path);
    if (path === '/api/status') return Response.json({}, { status: await status() });
    active += 1;
    most = Math.max(most, active);
    const hangUp = new Promise<never>((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
    try {
      return await Promise.race([answer(decodes(), request), hangUp]);
    } finally {
      active -= 1;
    }
  });
  const decodes = () => log.filter((path) => path === '/api/decode').length;
  return { decodes, probes: () => log.length - decodes(), most: () => most };
}

const ok = (headers: Record<string, string> = {}) => Response.json(decoded({}), { headers });
const limited = (seconds: number) =>
  Response.json(
    { error: 'rate_limited', message: '' },
    {
      status: 429,
      headers: {
        'X-RateLimit-Limit': '3',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(seconds),
      },
    },
  );
const unavailable = (headers: Record<string, string> = {}) =>
  Response.json({ error: 'shutting_down', message: 'Stopping.' }, { status: 503, headers });
const tokenOf = ({ headers }: RequestInit) => (headers as Record<string, string>)['Authorization'];

async function model(files: number, limit = 1000): Promise<Model> {
  const created = new Model({
    limit,
    windowSeconds: 3600,
    timeoutMs: 55_000,
    maxFileBytes: 5000,
    language,
    describe: cellTexts,
  });
  await created.add(
    Array.from({ length: files }, (_, i) => ({ file: new File([`${i}`], `${i}.lic`), folder: '' })),
  );
  return created;
}

/** Lets time pass second by second, as the page sees it. */
async function pass(model: Model, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 1000) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 1000));
    model.tick();
  }
  await vi.advanceTimersByTimeAsync(0);
}

const names = ({ inventory }: Model) => inventory.licenses.value.map(({ state }) => state.name);
const states = (model: Model) => {
  const counts: Record<string, number> = {};
  for (const name of names(model)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('uploads', () => {
  it('go one by one without a token, four at once with one that was accepted', async () => {
    const { most } = service(() => new Promise((resolve) => setTimeout(() => resolve(ok()), 100)));
    const page = await model(20);
    await pass(page, 350);
    expect(most()).toBe(1);
    page.useToken(TOKEN);
    await pass(page, 5000);
    expect(most()).toBe(4);
    expect(states(page)).toEqual({ done: 20 });
  });

  it('are given up after the limit of the service and a margin', async () => {
    service(() => new Promise(() => undefined));
    const page = await model(1);
    await pass(page, 84_000);
    expect(states(page)).toEqual({ decoding: 1 });
    await pass(page, 2000);
    expect(page.runner.pause.value?.problem).toEqual({ key: 'noAnswer' });
  });

  it.each([
    [500, { error: 'internal_error', message: 'Failed.' }, true],
    [422, { error: 'license_undecodable', message: 'Damaged.' }, false],
  ])('that are answered %i fail alone', async (status, body, canRetry) => {
    service((count) => (count === 1 ? Response.json(body, { status }) : ok()));
    const page = await model(2);
    await pass(page, 1000);
    expect(page.inventory.licenses.value.map(({ state }) => state)).toMatchObject([
      { name: 'failed', failure: { canRetry } },
      { name: 'done' },
    ]);
  });
});

it('counts readings of several files when they end or pause, not those of one', async () => {
  let isReady = true;
  service(
    () => (isReady ? ok() : unavailable()),
    () => (isReady ? 200 : 503),
  );
  const page = await model(3);
  const { runner } = page;
  const add = (...names: number[]) =>
    page.add(names.map((name) => ({ file: new File([`${name}`], `${name}.lic`), folder: '' })));
  await pass(page, 2000);
  expect(runner.readings.value).toBe(1);
  isReady = false;
  await add(3, 4);
  await pass(page, 1000);
  expect(runner.readings.value).toBe(2);
  isReady = true;
  await pass(page, 60_000);
  expect(runner.readings.value).toBe(3);
  await add(5);
  await pass(page, 2000);
  expect(states(page)).toEqual({ done: 6 });
  expect(runner.readings.value).toBe(3);
});

describe('the limit', () => {
  const counted = (limit: number) => (count: number) =>
    ok({
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(limit - 1 - ((count - 1) % limit)),
      'X-RateLimit-Reset': '60',
    });

  it('lets files be read at once while it suffices for all of them', async () => {
    const { decodes } = service(counted(3));
    const page = await model(3, 3);
    await pass(page, 1000);
    expect(states(page)).toEqual({ done: 3 });
    await page.add([{ file: new File(['more'], 'more.lic'), folder: '' }]);
    await pass(page, 30_000);
    expect(states(page)).toEqual({ done: 3, unread: 1 });
    expect(decodes()).toBe(3);
  });

  it('is less what is asked for already', async () => {
    service(() => new Promise(() => undefined));
    const page = await model(2, 3);
    expect(page.left.value).toBe(1);
    await page.add(['x', 'y'].map((text) => ({ file: new File([text], `${text}.lic`), folder: '' })));
    expect(states(page)).toEqual({ decoding: 1, waiting: 1, unread: 2 });
    page.readNext();
    expect(states(page)).toEqual({ decoding: 1, waiting: 2, unread: 1 });
  });

  it('that does not suffice has nothing sent but what the user asks for, in the order of the table', async () => {
    const { decodes } = service(counted(3));
    const page = await model(7, 3);
    await pass(page, 5000);
    expect(decodes()).toBe(0);
    page.list.sort.value = { column: 'file', descending: true };
    page.readNext();
    await pass(page, 5000);
    expect(names(page)).toEqual([...Array<string>(4).fill('unread'), ...Array<string>(3).fill('done')]);
    page.goesOnByItself.value = true;
    const before = page.inventory.licenses.value.map(({ state }) => state);
    await pass(page, 30_000);
    expect(page.inventory.licenses.value.map(({ state }) => state)).toEqual(before);
    // The very same, so that no row is drawn anew.
    expect(page.inventory.licenses.value.every(({ state }, index) => state === before[index])).toBe(true);
    expect(decodes()).toBe(3);
  });

  it('leaves alone what the user canceled', async () => {
    const { decodes } = service(() => new Promise(() => undefined));
    const page = await model(2);
    page.goesOnByItself.value = true;
    page.cancel(page.inventory.pending.value);
    await pass(page, 5000);
    expect(decodes()).toBe(1);
    expect(states(page)).toEqual({ unread: 2 });
    expect(page.goesOnByItself.value).toBe(false);
  });

  it('is used by itself for rows too that are not shown', async () => {
    service(counted(3));
    const page = await model(4, 3);
    page.list.tile.value = 'errors';
    page.goesOnByItself.value = true;
    await pass(page, 70_000);
    expect(states(page)).toEqual({ done: 4 });
  });

  it('goes to the first rows that are shown', async () => {
    service(counted(1));
    const page = await model(0, 1);
    const given = (name: string, text: string) => ({ file: new File([text], name), folder: '' });
    await page.add([
      given('blank.lic', 'x'),
      given('known.lic', 'Срок действия: 31.12.2099\n'),
      given('soon.lic', 'Срок действия: 31.12.2098\n'),
    ]);
    const next = () => page.unread.value[0]?.name;
    expect(next()).toBe('soon.lic');
    page.list.choose('noTerm');
    expect(next()).toBe('blank.lic');
    page.list.choose('all');
    page.list.sortBy('file');
    page.readNext();
    await pass(page, 1000);
    expect(names(page)).toEqual(['done', 'unread', 'unread']);
  });

  it('is used by itself as often as it is renewed when the user says so', async () => {
    service(counted(3));
    const page = await model(7, 3);
    page.goesOnByItself.value = true;
    await pass(page, 5000);
    expect(states(page)).toEqual({ done: 3, unread: 4 });
    await pass(page, 140_000);
    expect(states(page)).toEqual({ done: 7 });
  });

  it('that others have used up in the meantime stops everything that waits', async () => {
    const { decodes } = service(() => limited(3600));
    const page = await model(3, 3);
    await pass(page, 120_000);
    expect(decodes()).toBe(1);
    expect(states(page)).toEqual({ unread: 3 });
  });

  it('that a colleague shares releases only what is too much, the last first, and what failed keeps its reason', async () => {
    service((count) =>
      count === 1
        ? new Response(JSON.stringify({ error: 'internal_error', message: 'Failed.' }), { status: 500 })
        : ok({
            'X-RateLimit-Limit': '6',
            'X-RateLimit-Remaining': String(Math.max(0, 5 - count)),
            'X-RateLimit-Reset': '60',
          }),
    );
    const page = await model(6, 6);
    await pass(page, 5000);
    expect(names(page)).toEqual(['failed', 'done', 'done', 'done', 'done', 'unread']);
    const again = page.inventory.licenses.value.slice(0, 1);
    page.runner.read(again);
    expect(again[0]?.state).toMatchObject({ name: 'failed', failure: { problem: { text: 'Failed.' } } });
  });

  it('is not spent on what was asked for with a token that is refused', async () => {
    const { decodes } = service(() =>
      ok({
        'WWW-Authenticate': 'Bearer error="invalid_token", error_description="the token has expired"',
        'X-RateLimit-Limit': '3',
        'X-RateLimit-Remaining': '2',
        'X-RateLimit-Reset': '60',
      }),
    );
    const page = await model(5, 3);
    page.useToken(TOKEN);
    await pass(page, 5000);
    expect(decodes()).toBe(1);
    expect(states(page)).toEqual({ done: 1, unread: 4 });
  });

  it('does not stop for the refusal of a request that began before the token came', async () => {
    service((_count, request) =>
      tokenOf(request) ? ok() : new Promise((resolve) => setTimeout(() => resolve(limited(3600)), 500)),
    );
    const page = await model(3);
    await pass(page, 100);
    page.useToken(TOKEN);
    await pass(page, 2000);
    expect(page.runner.pause.value).toBeUndefined();
    expect(states(page)).toEqual({ done: 3 });
  });

  it('of a proxy, which no token lifts, is waited for', async () => {
    const { decodes } = service((count) => (count === 1 ? new Response('', { status: 429 }) : ok()));
    const page = await model(2, 0);
    page.useToken(TOKEN);
    await pass(page, 59_000);
    expect(decodes()).toBe(1);
    await pass(page, 4000);
    expect(states(page)).toEqual({ done: 2 });
  });
});

describe('an outage', () => {
  it.each<[string, () => Response | Promise<Response>]>([
    ['a lost connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['502', () => new Response('<html>', { status: 502 })],
    ['503', () => unavailable()],
    ['a login page', () => new Response('<html>')],
    ...[403, 404, 413, 500, 504].map((status): [string, () => Response] => [
      `${status} of a proxy`,
      () => new Response('<html>', { status }),
    ]),
  ])('(%s) pauses, asks for the status alone, and goes on when that is 200', async (_case, answer) => {
    let isUp = false;
    const { decodes, probes } = service(
      () => (isUp ? ok() : answer()),
      () => (isUp ? 200 : 503),
    );
    const page = await model(5);
    await pass(page, 60_000);
    expect(states(page)).toEqual({ waiting: 5 });
    expect(decodes()).toBe(1);
    expect(probes()).toBeGreaterThan(2);
    isUp = true;
    await pass(page, 31_000);
    expect(states(page)).toEqual({ done: 5 });
  });

  it('waits as long as Retry-After says', async () => {
    const { probes } = service((count) => (count === 1 ? unavailable({ 'Retry-After': '40' }) : ok()));
    const page = await model(1);
    await pass(page, 39_000);
    expect(probes()).toBe(0);
    await pass(page, 2000);
    expect(states(page)).toEqual({ done: 1 });
  });

  it('is asked about once at a time, however long the answer takes', async () => {
    const { probes } = service(
      () => unavailable(),
      () => new Promise((resolve) => setTimeout(() => resolve(503), 8000)),
    );
    const page = await model(1);
    await pass(page, 9000);
    expect(probes()).toBe(1);
  });

  it('ends at once when the user says so', async () => {
    service((count) => (count === 1 ? unavailable({ 'Retry-After': '40' }) : ok()));
    const page = await model(1);
    await pass(page, 1000);
    page.runner.goOn();
    await pass(page, 1000);
    expect(states(page)).toEqual({ done: 1 });
  });

  it('is laid to the file when it comes with it again and again, and the others are read', async () => {
    service((_count, { body }) => {
      const { name } = (body as FormData).get('license') as File;
      return name === '0.lic' ? new Response('', { status: 502 }) : ok();
    });
    const page = await model(3);
    await pass(page, 30_000);
    expect(states(page)).toEqual({ failed: 1, done: 2 });
  });
});

it('a full queue is no attempt at a file', async () => {
  service((count) =>
    count % 2 === 1
      ? Response.json({ error: 'queue_full', message: 'Full.' }, { status: 503 })
      : new Response('', { status: 502 }),
  );
  const page = await model(1);
  await pass(page, 30_000);
  expect(states(page)).toEqual({ waiting: 1 });
  await pass(page, 120_000);
  expect(states(page)).toEqual({ failed: 1 });
});

it('what is asked for while it is being read is sent once', async () => {
  const { decodes } = service(() => new Promise((resolve) => setTimeout(() => resolve(ok()), 100)));
  const page = await model(1);
  const contents = page.inventory.licenses.value;
  page.useToken(TOKEN);
  page.runner.read(contents);
  page.runner.read(contents);
  await pass(page, 1000);
  page.runner.read(contents);
  expect(decodes()).toBe(1);
  expect(states(page)).toEqual({ done: 1 });
});

it('a row without a file is never sent', async () => {
  const { decodes } = service(() => ok());
  const page = await model(0);
  const content = new License({ sources: [ofAnswer(decoded({ pin: '111222333444555' }))] });
  page.runner.read([content]);
  expect(content.state.name).toBe('unread');
  expect(content.known).toMatchObject({ pin: '111-222-333-444-555', registrationNumber: '800123456G0' });
  expect(decodes()).toBe(0);
});

it('what the service says of its own failure keeps its id, for the administrator', async () => {
  service(() =>
    Response.json(
      { error: 'internal_error', message: 'Failed.' },
      { status: 500, headers: { 'X-Request-Id': 'abc', 'Content-Language': 'en' } },
    ),
  );
  const page = await model(1);
  await pass(page, 1000);
  expect(page.inventory.licenses.value.map(({ state }) => state)).toEqual([
    {
      name: 'failed',
      failure: { problem: { text: 'Failed.', language: 'en', requestId: 'abc' }, canRetry: true },
    },
  ]);
});

it('the day changes while the page stays open', async () => {
  vi.setSystemTime(new Date(2026, 10, 22, 23, 59, 59));
  const page = await model(0);
  expect(page.list.today.value).toBe('2026-11-22');
  await pass(page, 2000);
  expect(page.list.today.value).toBe('2026-11-23');
});

describe('cancel', () => {
  it('ends the request', async () => {
    let signal: AbortSignal | null | undefined;
    service((_count, request) => {
      ({ signal } = request);
      return new Promise(() => undefined);
    });
    const page = await model(1);
    await pass(page, 100);
    expect(signal?.aborted).toBe(false);
    page.cancel(page.inventory.pending.value);
    expect(signal?.aborted).toBe(true);
  });

  it('leaves what is decided as it is', async () => {
    service(() => ok());
    const page = await model(2);
    const drawn = page.inventory.pending.value;
    await pass(page, 1000);
    page.runner.cancel(drawn);
    expect(states(page)).toEqual({ done: 2 });
  });

  it('stops what is sent and what waits', async () => {
    const { decodes } = service(() => new Promise((resolve) => setTimeout(() => resolve(ok()), 100)));
    const page = await model(5);
    await pass(page, 150);
    page.cancel(page.inventory.pending.value);
    await pass(page, 1000);
    expect(states(page)).toEqual({ done: 1, unread: 4 });
    expect(decodes()).toBe(2);
  });

  it('of a file goes on with the next, and an answer that comes later changes nothing', async () => {
    service(() => new Promise((resolve) => setTimeout(() => resolve(ok()), 100)));
    const page = await model(2);
    await pass(page, 50);
    const first = page.inventory.licenses.value.slice(0, 1);
    page.runner.cancel(first);
    page.runner.read(first);
    page.runner.cancel(first);
    await pass(page, 1000);
    expect(names(page)).toEqual(['unread', 'done']);
  });
});
