import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nameOf } from '../../../../src/web/page/model/license.js';
import { Store } from '../../../../src/web/page/model/store.js';
import { TOKEN_PROBLEMS } from '../../../../src/errors/token-problems.js';
import { PERMIT } from '../../../support/held-service.js';
import { decoded, NOTHING_LEFT_OUT, SETTINGS } from './licenses.js';

const TOKEN = 'aaa.bbb.ccc';
/** A token that expires at that second. */
const tokenUntil = (exp: number) => `aaa.${btoa(JSON.stringify({ exp })).replaceAll('=', '')}.ccc`;

interface Decode {
  /** How many decodes have been asked for, this one included. */
  count: number;
  /** The number at the end of its text. */
  file: number;
  token: string | undefined;
}
type Answer = (decode: Decode) => Response | Promise<Response>;

interface World {
  files: number;
  /** Files per window without a token; more than there are unless told otherwise. */
  limit?: number;
  answer: Answer;
  /** The answer to each request for the status, which is ready unless told otherwise. */
  status?: (count: number, token: string | undefined) => Response | Promise<Response>;
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
  /** Requests for the status. */
  checks?: number;
  pause?: unknown;
  isReadingOn?: boolean;
  left?: number;
}

/** What the user does first, milliseconds that pass then, and what is seen after them. */
type Step = [act: ((page: Store) => unknown) | null, milliseconds: number, seen: Seen];

const json = (status: number, headers: Record<string, string> = {}, error = 'storage_unavailable') =>
  Response.json({ error, message: 'Failed.' }, { status, headers });
const quota = (limit: number, remaining: number, reset = 60) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(reset),
});
const ok = (headers: Record<string, string> = {}) => Response.json(decoded({}), { headers });
const after = <Value>(milliseconds: number, value: () => Value) =>
  new Promise<Value>((resolve) => setTimeout(() => resolve(value()), milliseconds));
/** The service says what is wrong with a token, or with the one that was sent. */
const refusal = (reason: keyof typeof TOKEN_PROBLEMS) => ({
  'WWW-Authenticate': `Bearer error="invalid_token", error_description="${TOKEN_PROBLEMS[reason].en}"`,
});
const ready = (headers: Record<string, string> = {}) => Response.json({ ready: true }, { headers });
const notReady = () => Response.json({ ready: false }, { status: 503 });
const ofProxy = (status: number, headers: Record<string, string> = {}) =>
  new Response('<html>', { status, headers });
const limitReached = () =>
  Response.json(
    { error: 'rate_limited', message: 'Wait.', retryAfter: 3600 },
    { status: 429, headers: quota(3, 0, 3600) },
  );
const offline = () => Promise.reject(new TypeError('Failed to fetch'));
const never = () => new Promise<never>(() => undefined);
const counted =
  (limit: number): Answer =>
  ({ count }) =>
    ok(quota(limit, limit - 1 - ((count - 1) % limit)));

const all = ({ licenses }: Store) => licenses.value;
const useToken = (page: Store) => page.useToken(TOKEN);
const readEvery = (page: Store) => page.read(all(page));
const readShown = (page: Store) => page.read(page.unreadShown);
const checkNow = (page: Store) => page.dispatch({ type: 'checkWanted' });
/** The computer of the page sleeps: time passes without a tick. */
const sleep = (milliseconds: number) => (page: Store) => {
  vi.setSystemTime(Date.now() + milliseconds);
  page.tick();
};
const cancel = (page: Store) => page.cancel(all(page));
const add =
  (...names: number[]) =>
  (page: Store) =>
    page.add(() => ({
      leftOut: NOTHING_LEFT_OUT,
      files: names.map((name) => ({ file: new File([PERMIT, `${name}`], `${name}.lic`), folder: '' })),
    }));

/** The page with its files, and what it sends. */
async function start({ files, limit = 1000, answer, status = () => ready() }: World) {
  const sent: number[] = [];
  let [active, most, aborted, checks] = [0, 0, 0, 0];
  let isOpening = true;
  vi.stubGlobal('location', new URL('http://host/'));
  vi.stubGlobal('fetch', async (address: URL, { body, headers, signal }: RequestInit = {}) => {
    const token = (headers as Record<string, string>)['Authorization'];
    if (isOpening) return ready();
    if (address.pathname === '/api/status') return status(++checks, token);

    const text = await ((body as FormData).get('license') as File).text();
    const file = parseInt(/\d*\s*$/.exec(text)?.[0] ?? '');
    sent.push(file);
    most = Math.max(most, ++active);
    const hangUp = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        aborted += 1;
        reject(new Error('aborted'));
      });
    });
    try {
      return await Promise.race([answer({ count: sent.length, file, token }), hangUp]);
    } finally {
      active -= 1;
    }
  });
  const page = new Store({ ...SETTINGS, limit });
  // As the empty page does.
  await page.checkService();
  isOpening = false;
  await add(...Array(files).keys())(page);
  const seen = (): Required<Seen> => ({
    rows: runs(all(page).map(({ status }) => status)),
    sent: sent.join(' '),
    decodes: sent.length,
    most,
    aborted,
    checks,
    pause: page.pause.value && JSON.stringify(page.pause.value.problem),
    isReadingOn: page.isReadingOn.value,
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

const RING_UNAVAILABLE = JSON.stringify({ key: 'ring_unavailable' });
const NO_ANSWER = JSON.stringify({ key: 'noAnswer' });
/** The answer to the first file, and to all others. */
const first =
  (answer: () => Response | Promise<Response>, others: () => Response | Promise<Response> = ok): Answer =>
  ({ count }) =>
    count === 1 ? answer() : others();
/** The service accepts a token, and says later what is wrong with it. */
const acceptedOnce = (reason: keyof typeof TOKEN_PROBLEMS) => (count: number) =>
  ready(count === 1 ? {} : refusal(reason));
/** The service is ready from that request for the status on, and before that it is not. */
const readyFrom = (first: number, before: () => Response | Promise<Response>) => (count: number) =>
  count < first ? before() : ready();
const awayFor40Seconds = first(() => json(503, { 'Retry-After': '40' }));
const forgetToken = (page: Store) => page.dispatch({ type: 'tokenForgotten' });
const useTokenFor = (seconds: number) => (page: Store) =>
  page.useToken(tokenUntil(Date.now() / 1000 + seconds));
const slowly = (answer: () => Response) => after(100, answer);
const slow: Answer = () => slowly(ok);

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
      { files: 1, answer: never, status: offline },
      [null, 84_000, { rows: 'reading' }],
      [null, 2000, { rows: 'waiting', pause: NO_ANSWER, aborted: 1 }],
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
      { files: 3, answer: ({ file }) => (file > 2 ? never() : slowly(ok)), status: offline },
      [null, 250, { rows: '2 done, reading', isReadingOn: true }],
      [null, 2000, { isReadingOn: false }],
      [add(3), 1000, { rows: '3 done, reading', isReadingOn: true }],
      [cancel, 0, {}],
      [add(4, 5), 1000, { isReadingOn: true }],
      [null, 85_000, { rows: '3 done, unread, 2 waiting', isReadingOn: false }],
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
      [add(2, 3), 0, { rows: 'reading, waiting, 2 unread' }],
      [readShown, 0, { rows: 'reading, 2 waiting, unread', left: 0 }],
    ],
    [
      'when it does not suffice, lets only the files be sent that the user asks for, which are those that are shown',
      { files: 7, limit: 3, answer: counted(3) },
      [null, 5000, { decodes: 0 }],
      [(page) => (page.view.search.value = '5.lic'), 0, {}],
      [readShown, 5000, { rows: '5 unread, done, unread', sent: '5' }],
    ],
    [
      'that a second tab has used up empties the queue, whose files have not failed',
      { files: 3, limit: 3, answer: limitReached },
      [null, 1000, { rows: '3 unread', decodes: 1, left: 0, pause: undefined }],
      [null, 120_000, { rows: '3 unread', decodes: 1 }],
      [sleep(3_600_000), 0, { left: 3 }],
    ],
    [
      'without a word on when it ends empties the queue too',
      { files: 3, limit: 3, answer: () => json(429, {}, 'rate_limited') },
      [null, 60_000, { rows: '3 unread', decodes: 1 }],
    ],
    [
      'releases only the last files that wait when a colleague uses some of it',
      { files: 6, limit: 6, answer: ({ count }) => ok(quota(6, Math.max(0, 5 - count))) },
      [null, 5000, { rows: '5 done, unread' }],
    ],
    [
      'is asked for when a request is canceled that the service may have counted',
      { files: 3, limit: 3, answer: never, status: () => ready(quota(3, 2)) },
      [null, 100, { left: 0 }],
      [cancel, 100, { rows: '3 unread', left: 2, checks: 1 }],
    ],
    [
      'is not released for a file under way, which the service has counted already',
      { files: 3, limit: 3, answer: never, status: () => ready(quota(3, 2)) },
      [null, 100, { rows: 'reading, 2 waiting' }],
      [(page) => page.checkService(), 0, { rows: 'reading, 2 waiting' }],
    ],
    [
      'holds for what still waits when the token is forgotten, and is not used up by what is under way',
      { files: 9, limit: 3, answer: ({ token }) => (token ? after(500, () => json(503)) : ok()) },
      [useToken, 0, {}],
      [readShown, 100, { rows: '4 reading, 5 waiting' }],
      [forgetToken, 0, { rows: '4 reading, 5 unread', left: -1 }],
      [null, 60_000, { rows: '4 failed, 5 unread', decodes: 4 }],
    ],
    [
      'does not stop for the refusal of a request that began before the token came',
      { files: 3, answer: ({ token }) => (token ? ok() : after(500, limitReached)) },
      [null, 100, {}],
      [useToken, 2000, { rows: '3 done', pause: undefined }],
    ],
  ],
  'a token': [
    [
      'reads nothing by itself',
      { files: 7, limit: 3, answer: () => ok() },
      [useToken, 5000, { decodes: 0, left: Infinity }],
      [readShown, 5000, { rows: '7 done', most: 4 }],
    ],
    [
      'that has expired by the clock of the page is asked about once, also in the minute after it came',
      { files: 9, limit: 3, answer: slow, status: acceptedOnce('expired') },
      [useTokenFor(30), 0, { left: Infinity }],
      [sleep(30_000), 5000, { decodes: 0, checks: 2, left: 3 }],
    ],
    [
      'that the service accepts counts, whatever the clock of the page says',
      { files: 9, limit: 3, answer: slow },
      [useTokenFor(-3600), 0, { checks: 1 }],
      [sleep(60_000), 0, {}],
      [readShown, 5000, { rows: '9 done', checks: 2 }],
    ],
    [
      'that expires while files are read costs nothing of the limit that holds without it',
      { files: 9, limit: 3, answer: slow, status: acceptedOnce('expired') },
      [useTokenFor(60), 0, {}],
      [readShown, 150, { rows: '4 done, 4 reading, waiting' }],
      [sleep(60_000), 5000, { rows: '8 done, unread', decodes: 8, left: 3 }],
    ],
    [
      'that was revoked is asked about after the first answer that says so, and empties the queue',
      {
        files: 9,
        limit: 3,
        answer: ({ token }) => slowly(() => ok(token ? refusal('invalid') : {})),
        status: acceptedOnce('invalid'),
      },
      [useToken, 0, {}],
      [readShown, 5000, { rows: '4 done, 5 unread', decodes: 4, checks: 2 }],
    ],
    [
      'that was revoked is asked about when its limit is used up, too',
      {
        files: 9,
        limit: 3,
        answer: limitReached,
        status: acceptedOnce('invalid'),
      },
      [useToken, 0, {}],
      [readShown, 5000, { rows: '9 unread', decodes: 4 }],
    ],
    [
      'that is accepted though its limit is used up is sent with a file twice at most',
      { files: 1, limit: 0, answer: limitReached },
      [useToken, 0, {}],
      [readShown, 600_000, { rows: 'failed', decodes: 2 }],
    ],
    [
      'about which nobody answers pauses the reading',
      {
        files: 3,
        limit: 0,
        answer: slow,
        status: (count) => (count === 1 || count > 3 ? ready() : offline()),
      },
      [useTokenFor(3600), 0, {}],
      [sleep(3_600_000), 5000, { checks: 2 }],
      [readShown, 5000, { rows: '3 waiting', pause: NO_ANSWER }],
      [null, 10_000, { rows: '3 done', checks: 4 }],
    ],
  ],
  'an answer': [
    [
      'that refuses a file has the next one sent at once, and that one never again',
      { files: 2, answer: first(() => json(422, {}, 'license_undecodable')) },
      [null, 600_000, { rows: 'refused, done', decodes: 2, checks: 0 }],
      [readEvery, 1000, { rows: 'refused, done', decodes: 2 }],
    ],
    [
      'that fails a file which can be tried again does so, too, and the file is read when the user asks',
      { files: 2, answer: first(() => json(502, {}, 'ring_crashed')) },
      [null, 600_000, { rows: 'failed, done', decodes: 2, checks: 0 }],
      [readEvery, 1000, { rows: '2 done' }],
    ],
    [
      'that the queue is full is waited for as long as it says, again and again',
      {
        files: 2,
        answer: ({ count }) => (count < 5 ? json(503, { 'Retry-After': '5' }, 'queue_full') : ok()),
      },
      [null, 4000, { rows: '2 waiting', decodes: 1, checks: 0 }],
      [null, 20_000, { rows: '2 done', decodes: 6 }],
    ],
    [
      'that the queue is full is no try of a file that has met an outage',
      {
        files: 1,
        answer: ({ count }) => {
          if (count === 1) return json(503);
          return count === 2 ? json(503, { 'Retry-After': '5' }, 'queue_full') : ok();
        },
      },
      [null, 60_000, { rows: 'done', decodes: 3 }],
    ],
    [
      'that the queue is full, with a token that is lost meanwhile, leaves the files unread',
      {
        files: 4,
        limit: 3,
        answer: () => after(100, () => json(503, { 'Retry-After': '5' }, 'queue_full')),
      },
      [useToken, 0, {}],
      [readShown, 50, { rows: '4 reading' }],
      [
        (page) => page.dispatch({ type: 'tokenForgotten' }),
        60_000,
        { rows: '4 unread', decodes: 4, left: 3 },
      ],
    ],
    [
      'of a gateway with 429 is waited for a minute, or as long as it says',
      {
        files: 2,
        answer: ({ count }) => {
          if (count === 1) return ofProxy(429);
          return count === 2 ? ofProxy(429, { 'Retry-After': '90' }) : ok();
        },
      },
      [null, 58_000, { rows: '2 waiting', decodes: 1, pause: expect.stringContaining('429') }],
      [null, 5000, { decodes: 2 }],
      [null, 80_000, { decodes: 2 }],
      [null, 10_000, { rows: '2 done', decodes: 4 }],
    ],
    [
      'of a gateway with 403 pauses until the service answers again',
      {
        files: 2,
        answer: first(() => ofProxy(403)),
        status: readyFrom(3, () => ofProxy(403)),
      },
      [null, 9000, { rows: '2 waiting', decodes: 1, pause: expect.stringContaining('403') }],
      [null, 15_000, { rows: '2 done', decodes: 3 }],
    ],
  ],
  'an outage': [
    [
      'of ring for ten minutes has its files read afterwards, and costs one decode',
      {
        files: 3,
        answer: first(() => json(503, {}, 'ring_unavailable')),
        status: readyFrom(60, notReady),
      },
      [null, 580_000, { rows: '3 waiting', decodes: 1 }],
      [null, 30_000, { rows: '3 done', decodes: 4 }],
    ],
    [
      'that the status tells of before the first file costs nothing',
      { files: 0, answer: () => ok(), status: readyFrom(4, notReady) },
      [sleep(60_000), 0, {}],
      [add(0, 1), 25_000, { rows: '2 waiting', decodes: 0, checks: 3, pause: RING_UNAVAILABLE }],
      [null, 10_000, { rows: '2 done', checks: 4 }],
    ],
    [
      'in which nobody answers for the status is left to the first file to find out',
      { files: 0, answer: () => ok(), status: (count) => (count === 1 ? ofProxy(404) : ready()) },
      [sleep(60_000), 0, {}],
      [add(0), 1000, { rows: 'done', checks: 1 }],
    ],
    [
      'is suspected when ring hangs twice in a row, and costs one decode a minute then',
      { files: 5, answer: () => json(504, {}, 'ring_timeout') },
      [
        null,
        50_000,
        { rows: '2 failed, 3 waiting', decodes: 2, pause: expect.stringContaining('ringHangs') },
      ],
      [null, 60_000, { rows: '3 failed, 2 waiting', decodes: 3 }],
    ],
    [
      'is not suspected when ring hangs for every other file',
      { files: 4, answer: ({ file }) => (file % 2 ? ok() : json(504, {}, 'ring_timeout')) },
      [null, 5000, { rows: 'failed, done, failed, done', pause: undefined }],
    ],
    [
      'that one file always meets lets the others be read, and fails the file at its second try',
      { files: 3, answer: ({ file }) => (file === 0 ? json(503) : ok()) },
      [null, 2000, { rows: 'failed, 2 done', sent: '0 1 2 0', checks: 1 }],
      [null, 600_000, { rows: 'failed, 2 done', decodes: 4 }],
      [readEvery, 600_000, { decodes: 6 }],
    ],
    [
      'that every file meets though the service says that it is ready ends with the second try of each',
      { files: 3, answer: offline },
      [useToken, 600_000, { rows: '3 failed', decodes: 6 }],
    ],
    [
      'lasts as long as Retry-After says',
      { files: 2, answer: awayFor40Seconds },
      [null, 39_000, { decodes: 1, checks: 0 }],
      [null, 2000, { rows: '2 done', checks: 1 }],
    ],
    [
      'does not end before its time because something else asks the service',
      { files: 2, answer: first(() => json(503, { 'Retry-After': '60' })) },
      [null, 1000, { rows: '2 waiting' }],
      [(page) => page.checkService(), 50_000, { rows: '2 waiting', decodes: 1 }],
      [null, 20_000, { rows: '2 done' }],
    ],
    [
      'ends as soon as the user has the service asked, if it is ready',
      { files: 2, answer: awayFor40Seconds },
      [null, 1000, { decodes: 1 }],
      [checkNow, 1000, { rows: '2 done', pause: undefined }],
    ],
    [
      'is over when everything is canceled, and has left the limit as large as before',
      { files: 3, limit: 3, answer: offline, status: offline },
      [null, 1000, { rows: '3 waiting', left: 0, pause: NO_ANSWER }],
      [cancel, 30_000, { rows: '3 unread', left: 3, decodes: 1, pause: undefined }],
    ],
    [
      'of a laptop that slept for an hour is over when the network is back',
      {
        files: 3,
        limit: 3,
        answer: ({ count }) => (count === 2 ? after(500, () => 0).then(offline) : ok(quota(3, 2, 3600))),
        status: (count) => (count === 1 ? offline() : ready(quota(3, 3, 3600))),
      },
      [null, 200, { rows: 'done, reading, waiting' }],
      [sleep(3_600_000), 2000, { rows: 'done, 2 waiting', pause: NO_ANSWER }],
      [null, 12_000, { rows: '3 done', decodes: 4 }],
    ],
  ],
  'a cancel': [
    [
      'ends the request and sends no more; nothing of it is read by itself',
      { files: 5, answer: slow },
      [null, 150, { rows: 'done, reading, 3 waiting', aborted: 0 }],
      [cancel, 5000, { rows: 'done, 4 unread', decodes: 2, aborted: 1 }],
      [readEvery, 1000, { rows: '5 done' }],
    ],
    [
      'lasts when files are added later',
      { files: 2, answer: first(never) },
      [null, 100, { decodes: 1 }],
      [cancel, 0, { rows: '2 unread' }],
      [add(2), 1000, { rows: '2 unread, done', sent: '0 2' }],
    ],
    [
      'leaves what is decided as it is',
      { files: 2, answer: () => ok() },
      [null, 1000, {}],
      [cancel, 1000, { rows: '2 done' }],
    ],
    [
      'of one file goes on with the next; when asked for again, the file comes last and ignores its first answer',
      { files: 3, answer: slow },
      [null, 50, {}],
      [(page) => page.cancel(all(page).slice(0, 1)), 0, { rows: 'unread, reading, waiting' }],
      [readEvery, 1000, { rows: '3 done', sent: '0 1 2 0' }],
    ],
    [
      'by the limit leaves what had failed as it is',
      { files: 1, limit: 2, answer: () => json(500, quota(2, 0), 'internal_error') },
      [null, 1000, { rows: 'failed', left: 0 }],
      [readEvery, 1000, { rows: 'failed', decodes: 1 }],
    ],
    [
      'gives back why a file had failed',
      { files: 1, answer: first(() => json(500, {}, 'internal_error'), never) },
      [null, 100, { rows: 'failed' }],
      [readEvery, 100, { rows: 'reading' }],
      [cancel, 100, { rows: 'failed' }],
    ],
    ...Object.entries({
      removed: (page: Store) => page.remove(all(page)),
      cleared: (page: Store) => page.clear(),
    }).map(([what, act]): [string, World, ...Step[]] => [
      `ends the reading of what is ${what}`,
      { files: 3, answer: never },
      [null, 100, { rows: 'reading, 2 waiting' }],
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

it('what stands on top of the table by urgency is read first, however it is sorted now', async () => {
  const { page, seen } = await start({ files: 0, limit: 1, answer: counted(1) });
  const given = (name: string, text: string) => ({ file: new File([text], name), folder: '' });
  await page.add(() => ({
    leftOut: NOTHING_LEFT_OUT,
    files: [
      given('0 blank.lic', PERMIT),
      given('1 known.lic', 'Срок действия: 31.12.2099\n'),
      given('2 soon.lic', 'Срок действия: 31.12.2098\n'),
      given('3 expired.lic', 'Срок действия: 31.12.2020\n'),
    ],
  }));
  expect(page.unreadShown).toEqual(page.view.shown.value);
  page.view.sortBy('users');
  const next = () => page.unreadShown.slice(0, 1).map(nameOf).join();
  expect(next()).toBe('3 expired.lic');
  page.view.search.value = 'blank';
  expect(next()).toBe('0 blank.lic');
  page.view.showAll();
  page.read(page.unreadShown);
  await pass(page, 1000);
  expect(seen()).toMatchObject({ sent: '2020' });
});

it('the day changes while the page stays open', async () => {
  vi.setSystemTime(new Date(2026, 10, 22, 23, 59, 59));
  const { page } = await start({ files: 0, answer: () => ok() });
  expect(page.view.today.value).toBe('2026-11-22');
  await pass(page, 2000);
  expect(page.view.today.value).toBe('2026-11-23');
});
