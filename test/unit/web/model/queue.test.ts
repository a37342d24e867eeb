import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nameOf } from '../../../../src/web/page/model/license.js';
import { Store } from '../../../../src/web/page/model/store.js';
import { rowTexts } from '../../../../src/web/page/license/row-texts.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { columnOf, decoded } from './licenses.js';

const TOKEN = 'aaa.bbb.ccc';

interface Decode {
  /** How many decodes have been asked for, this one included. */
  count: number;
  /** The number in the name of the file. */
  file: number;
  token: string | undefined;
}
type Answer = (decode: Decode) => Response | Promise<Response>;

interface World {
  files: number;
  /** Files per window without a token; more than there are unless told otherwise. */
  limit?: number;
  answer: Answer;
  /** With the status. */
  headers?: Record<string, string>;
}

/** What can be seen of the page and of what it has sent. */
interface Seen {
  /** The states of the rows in their order, such as `2 done, unread`. */
  rows?: string;
  /** The files in the order in which they were sent. */
  sent?: string;
  decodes?: number;
  /** Decodes at a time. */
  most?: number;
  aborted?: number;
  pause?: unknown;
  isReadingSeveral?: boolean;
  left?: number;
}

/** What the user does first, milliseconds that pass then, and what is seen after them. */
type Step = [act: ((page: Store) => unknown) | null, milliseconds: number, seen: Seen];

const json = (status: number, headers: Record<string, string> = {}, error = 'some_code') =>
  Response.json({ error, message: 'Failed.' }, { status, headers });
const quota = (limit: number, remaining: number, reset = 60) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(reset),
});
const ok = (headers: Record<string, string> = {}) => Response.json(decoded({}), { headers });
const after = <Value>(milliseconds: number, value: () => Value) =>
  new Promise<Value>((resolve) => setTimeout(() => resolve(value()), milliseconds));
const offline = () => Promise.reject(new TypeError('Failed to fetch'));
const never = () => new Promise<never>(() => undefined);
const counted =
  (limit: number): Answer =>
  ({ count }) =>
    ok(quota(limit, limit - 1 - ((count - 1) % limit)));

const all = ({ licenses }: Store) => licenses.value;
const useToken = (page: Store) => page.useToken(TOKEN);
const readEvery = (page: Store) => page.read(all(page));
const cancel = (page: Store) => page.cancel(all(page));
const add =
  (...names: number[]) =>
  (page: Store) =>
    page.add({ files: names.map((name) => ({ file: new File([`${name}`], `${name}.lic`), folder: '' })) });

/** The page with its files, and what it sends. */
async function start({ files, limit = 1000, answer, headers: statusHeaders = {} }: World) {
  const sent: number[] = [];
  let [active, most, aborted] = [0, 0, 0];
  vi.stubGlobal('location', new URL('http://host/'));
  vi.stubGlobal('fetch', async (address: URL, { body, headers, signal }: RequestInit = {}) => {
    // It accepts each token.
    if (address.pathname === '/api/status') return Response.json({ ready: true }, { headers: statusHeaders });
    const file = parseInt(((body as FormData).get('license') as File).name);
    sent.push(file);
    most = Math.max(most, ++active);
    const hangUp = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        aborted += 1;
        reject(new Error('aborted'));
      });
    });
    try {
      const token = (headers as Record<string, string>)['Authorization'];
      return await Promise.race([answer({ count: sent.length, file, token }), hangUp]);
    } finally {
      active -= 1;
    }
  });
  const page = new Store({
    limit,
    windowSeconds: 3600,
    timeoutMs: 55_000,
    maxFileBytes: 5000,
    language,
    describe: rowTexts,
  });
  await add(...Array(files).keys())(page);
  const seen = (): Required<Seen> => ({
    rows: runs(all(page).map(({ status }) => status)),
    sent: sent.join(' '),
    decodes: sent.length,
    most,
    aborted,
    pause: page.pause.value && JSON.stringify(page.pause.value.problem),
    isReadingSeveral: page.isReadingSeveral.value,
    left: page.left.value,
  });
  return { page, seen };
}

/** `a, 2 b` for a, b, b */
function runs(names: readonly string[]): string {
  const ends = names.flatMap((name, index) => (name === names[index + 1] ? [] : [index]));
  return ends
    .map((end, index) => [end - (ends[index - 1] ?? -1), names[end]].filter((part) => part !== 1).join(' '))
    .join(', ');
}

/** Lets time pass second by second, as the page sees it. */
async function pass(page: Store, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 1000) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 1000));
    page.tick();
  }
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const NO_ANSWER = JSON.stringify({ key: 'noAnswer' });
const isFirst = ({ count }: Decode) => count === 1;
const slow: Answer = () => after(100, ok);

const SCENARIOS: Record<string, [string, World, ...Step[]][]> = {
  uploads: [
    [
      'go one at a time in the order of the rows, with an accepted token four at a time',
      { files: 20, answer: slow },
      [null, 350, { most: 1, sent: '0 1 2 3' }],
      [useToken, 5000, { most: 4, rows: '20 done' }],
    ],
    [
      'are given up after the limit of the service and a margin',
      { files: 1, answer: never },
      [null, 84_000, { rows: 'decoding' }],
      [null, 2000, { rows: 'waiting', pause: NO_ANSWER, aborted: 1 }],
    ],
    [
      'that end in 422 fail without a pause, and are not asked for again',
      { files: 2, answer: (decode) => (isFirst(decode) ? json(422) : ok()) },
      [null, 1000, { rows: 'failed, done' }],
      [readEvery, 1000, { rows: 'failed, done', decodes: 2 }],
    ],
    [
      'that end in 500 fail without a pause, and can be asked for again',
      { files: 2, answer: (decode) => (isFirst(decode) ? json(500) : ok()) },
      [null, 1000, { rows: 'failed, done', pause: undefined }],
      [readEvery, 1000, { rows: '2 done', sent: '0 1 0' }],
    ],
    [
      'are made once for a file that is asked for again while it is read and afterwards',
      { files: 1, answer: slow },
      [useToken, 0, {}],
      [readEvery, 1000, { decodes: 1, rows: 'done' }],
      [readEvery, 1000, { decodes: 1, rows: 'done' }],
    ],
    [
      'of several files end with the last one or an outage, which has the rows arranged anew',
      { files: 3, answer: ({ file }) => (file > 2 ? never() : slow({ count: 0, file, token: undefined })) },
      [null, 250, { rows: '2 done, decoding', isReadingSeveral: true }],
      [null, 2000, { isReadingSeveral: false }],
      [add(3), 1000, { rows: '3 done, decoding', isReadingSeveral: false }],
      [cancel, 0, {}],
      [add(4, 5), 1000, { isReadingSeveral: true }],
      [null, 85_000, { rows: '3 done, unread, 2 waiting', isReadingSeveral: false }],
    ],
  ],
  'the limit': [
    [
      'lets files be read at once while it suffices for all of them',
      { files: 3, limit: 3, answer: counted(3) },
      [null, 1000, { rows: '3 done' }],
      [add(3), 30_000, { rows: '3 done, unread', decodes: 3 }],
    ],
    [
      'leaves less to ask for while files wait',
      { files: 2, limit: 3, answer: never },
      [null, 0, { left: 1 }],
      [add(2, 3), 0, { rows: 'decoding, waiting, 2 unread' }],
      [(page) => page.read(page.unreadShown), 0, { rows: 'decoding, 2 waiting, unread', left: 0 }],
    ],
    [
      'when it does not suffice, lets only the files be sent that the user asks for, in the order of the table',
      { files: 7, limit: 3, answer: counted(3) },
      [null, 5000, { decodes: 0 }],
      [(page) => (page.view.sort.value = { column: columnOf('file'), descending: true }), 0, {}],
      [(page) => page.read(page.unreadShown), 5000, { rows: '4 unread, 3 done', sent: '6 5 4' }],
    ],
    [
      'stops everything that waits when others have used it up',
      { files: 3, limit: 3, answer: () => json(429, quota(3, 0, 3600)) },
      [null, 1000, { pause: undefined }],
      [null, 120_000, { rows: '3 unread', decodes: 1 }],
    ],
    [
      'releases only the last files that wait when a colleague uses some of it',
      { files: 6, limit: 6, answer: ({ count }) => ok(quota(6, Math.max(0, 5 - count))) },
      [null, 5000, { rows: '5 done, unread' }],
    ],
    [
      'counts what was sent though it was canceled, until the service says otherwise',
      { files: 3, limit: 3, answer: (decode) => (isFirst(decode) ? never() : ok(quota(3, 0))) },
      [null, 100, { decodes: 1 }],
      [cancel, 0, { rows: '3 unread', left: 2 }],
      [(page) => page.read(page.unreadShown), 1000, { rows: 'done, 2 unread', decodes: 2 }],
    ],
    [
      'holds for what still waits when the token is lost or forgotten',
      { files: 9, limit: 3, answer: never },
      [useToken, 0, { rows: '4 decoding, 5 waiting' }],
      [
        (page) => page.dispatch({ type: 'tokenForgotten' }),
        0,
        { rows: '4 decoding, 3 waiting, 2 unread', left: 0 },
      ],
    ],
    [
      'does not stop for the refusal of a request that began before the token came',
      { files: 3, answer: ({ token }) => (token ? ok() : after(500, () => json(429, quota(3, 0, 3600)))) },
      [null, 100, {}],
      [useToken, 2000, { rows: '3 done', pause: undefined }],
    ],
    [
      'is waited for when it is that of a proxy, which no token lifts',
      {
        files: 1,
        limit: 0,
        answer: (decode) => (isFirst(decode) ? new Response('', { status: 429 }) : ok()),
      },
      [useToken, 9000, { decodes: 1, pause: expect.stringContaining('notTheService') }],
      [null, 2000, { rows: 'done' }],
    ],
  ],
  'an outage': [
    [
      'lasts ten seconds, and again while a file meets it',
      { files: 3, answer: ({ count }) => (count > 1 && count < 5 ? json(503) : ok()) },
      [useToken, 9000, { rows: 'done, 2 waiting', decodes: 3 }],
      [null, 2000, { decodes: 5 }],
      [null, 10_000, { rows: '3 done', pause: undefined }],
    ],
    [
      'keeps all that was asked for until the service says what is left of the limit',
      {
        files: 3,
        limit: 3,
        headers: quota(3, 3, 3600),
        answer: ({ count }) => {
          if (count === 2) return offline();
          return ok(quota(3, count === 1 ? 2 : 4 - count, 3600));
        },
      },
      [null, 5000, { rows: 'done, 2 waiting' }],
      [null, 20_000, { rows: '3 done', left: 0 }],
    ],
    [
      'lasts as long as Retry-After says, or until the user has the service asked',
      { files: 2, answer: ({ count }) => (count % 2 === 1 ? json(503, { 'Retry-After': '40' }) : ok()) },
      [null, 39_000, { decodes: 1 }],
      [null, 2000, { rows: 'waiting, done' }],
      [(page) => page.checkPause(), 1000, { rows: '2 done', pause: undefined }],
    ],
    [
      'is over when everything is canceled',
      { files: 2, answer: offline },
      [null, 1000, { rows: '2 waiting', pause: NO_ANSWER }],
      [cancel, 30_000, { rows: '2 unread', decodes: 1, pause: undefined }],
    ],
    [
      'has the file wait behind the others, which it may not keep waiting',
      { files: 3, answer: ({ file }) => (file === 0 ? json(503) : ok()) },
      [null, 32_000, { rows: 'waiting, 2 done', sent: '0 1 2 0 0 0' }],
    ],
  ],
  'a cancel': [
    [
      'ends the request and sends no more; nothing of it is read by itself',
      { files: 5, answer: slow },
      [null, 150, { rows: 'done, decoding, 3 waiting', aborted: 0 }],
      [cancel, 5000, { rows: 'done, 4 unread', decodes: 2, aborted: 1 }],
      [readEvery, 1000, { rows: '5 done' }],
    ],
    [
      'lasts when files are added later',
      { files: 2, answer: (decode) => (isFirst(decode) ? never() : ok()) },
      [null, 100, { decodes: 1 }],
      [cancel, 0, { rows: '2 unread' }],
      [add(2), 1000, { rows: '2 unread, done', sent: '0 2' }],
    ],
    [
      'leaves what is decided as it is',
      { files: 2, answer: () => ok() },
      [null, 1000, {}],
      [(page) => page.cancel(all(page)), 1000, { rows: '2 done' }],
    ],
    [
      'of one file goes on with the next; when asked for again, the file comes last and ignores its first answer',
      { files: 3, answer: slow },
      [null, 50, {}],
      [(page) => page.cancel(all(page).slice(0, 1)), 0, { rows: 'unread, decoding, waiting' }],
      [readEvery, 1000, { rows: '3 done', sent: '0 1 2 0' }],
    ],
    [
      'gives back why a file had failed',
      { files: 1, answer: (decode) => (isFirst(decode) ? json(500) : never()) },
      [null, 100, { rows: 'failed' }],
      [readEvery, 100, { rows: 'decoding' }],
      [cancel, 100, { rows: 'failed' }],
    ],
    ...Object.entries({
      removed: (page: Store) => page.remove(all(page)),
      cleared: (page: Store) => page.clear(),
    }).map(([what, act]): [string, World, ...Step[]] => [
      `ends the reading of what is ${what}`,
      { files: 3, answer: never },
      [null, 100, { rows: 'decoding, 2 waiting' }],
      [act, 5000, { rows: '', aborted: 1, decodes: 1 }],
    ]),
  ],
};

describe.each(Object.entries(SCENARIOS))('%s', (_topic, scenarios) => {
  it.each(scenarios)('%s', async (_title, world, ...steps) => {
    const { page, seen } = await start(world);
    for (const [act, milliseconds, expected] of steps) {
      await act?.(page);
      await pass(page, milliseconds);
      expect(seen()).toMatchObject(expected);
    }
  });
});

it('no row changes while there is nothing to read, so that none is drawn anew', async () => {
  const { page } = await start({ files: 4, limit: 3, answer: counted(3) });
  page.read(page.unreadShown);
  await pass(page, 5000);
  const before = all(page);
  await pass(page, 30_000);
  expect(all(page).every((license, index) => license === before[index])).toBe(true);
});

it('what stands on top of the table by urgency is read first, however it is sorted now', async () => {
  const { page, seen } = await start({ files: 0, limit: 1, answer: counted(1) });
  const given = (name: string, text: string) => ({ file: new File([text], name), folder: '' });
  await page.add({
    files: [
      given('0 blank.lic', 'x'),
      given('1 known.lic', 'Срок действия: 31.12.2099\n'),
      given('2 soon.lic', 'Срок действия: 31.12.2098\n'),
      given('3 expired.lic', 'Срок действия: 31.12.2020\n'),
    ],
  });
  expect(page.unreadShown).toEqual(page.view.shown.value);
  page.view.sortBy({ id: 'file', sortValue: ({ places }) => places[0]?.name ?? '' });
  const next = () => page.unreadShown.slice(0, 1).map(nameOf).join();
  expect(next()).toBe('3 expired.lic');
  page.view.search.value = 'blank';
  expect(next()).toBe('0 blank.lic');
  page.view.showAll();
  page.read(page.unreadShown);
  await pass(page, 1000);
  expect(seen()).toMatchObject({ sent: '3' });
});

it('what failed says why until it is read, though the limit sends it back to wait', async () => {
  const { page } = await start({ files: 1, limit: 2, answer: () => json(500, quota(2, 0)) });
  await pass(page, 1000);
  readEvery(page);
  expect(all(page)[0]).toMatchObject({ status: 'failed', failure: { problem: { sentence: 'Failed.' } } });
});

it('what the service says of a license goes before its clear text, which stays where the service says nothing', async () => {
  const { page } = await start({ files: 0, answer: () => ok() });
  const text = 'Регистрационный номер: 1\nСрок действия: 31.12.2026\n';
  await page.add({ files: [{ file: new File([text], '0.lic'), folder: '' }] });
  await pass(page, 1000);
  expect(all(page)[0]?.known).toMatchObject({
    registrationNumber: '800123456G0',
    validUntil: '2026-12-31',
    pin: '332-588-056-123-456',
  });
});

it('the day changes while the page stays open', async () => {
  vi.setSystemTime(new Date(2026, 10, 22, 23, 59, 59));
  const { page } = await start({ files: 0, answer: () => ok() });
  expect(page.view.today.value).toBe('2026-11-22');
  await pass(page, 2000);
  expect(page.view.today.value).toBe('2026-11-23');
});

it('the renewal of the limit is noticed by a computer that slept through it', async () => {
  const answer = ({ count }: Decode) => ok(quota(3, 3 - count, 3600));
  const { page, seen } = await start({ files: 4, limit: 3, answer });
  page.read(page.unreadShown);
  await pass(page, 2000);
  expect(seen().left).toBe(0);
  vi.setSystemTime(Date.now() + 2 * 3_600_000);
  page.tick();
  expect(seen().left).toBe(3);
});
