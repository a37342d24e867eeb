import { describe, expect, it } from 'vitest';
import { TOKEN_PROBLEMS } from '../../../../src/errors/token-problems.js';
import {
  checked,
  isDoubted,
  learned,
  leftOf,
  offered,
  tokenIn,
  withoutToken,
  type AccessAnswer,
} from '../../../../src/web/page/model/access.js';
import { firstState } from '../../../../src/web/page/model/reduce.js';

const NOW = 1_000_000;
const GOOD = 'aaa.bbb.ccc';
const OTHER = 'ddd.eee.fff';

/** What the service says in answer to a request with a token. */
const answer = (headers: Record<string, string> = {}, token?: string): AccessAnswer => ({
  token,
  headers: new Headers(headers),
  sentAt: NOW,
});

/** What the page may send, step by step. */
class Steps {
  now;

  constructor(limit: number) {
    this.now = firstState(limit, 3600).access;
  }

  /** Enters a token that the service accepts. */
  use(token: string): void {
    this.enter(token);
    this.judge(tokenIn(token));
  }

  enter(text: string): void {
    this.now = offered(this.now, tokenIn(text));
  }

  /** Hears from the status what the service, or a proxy in its place, says of a token. */
  judge(
    token: string | undefined,
    headers: Record<string, string> = {},
    isFromService = true,
    now = NOW,
  ): void {
    this.now = checked(this.now, { ...answer(headers, token), isFromService }, now);
  }

  learn(token: string | undefined, headers: Record<string, string> = {}): void {
    this.now = learned(this.now, answer(headers, token));
  }

  forget(): void {
    this.now = withoutToken(this.now.quota);
  }

  left(now = NOW): number {
    return leftOf(this.now, now);
  }
}

const limits = (remaining: number) => ({
  'X-RateLimit-Limit': '3',
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': '1800',
});
const refusal = (reason: keyof typeof TOKEN_PROBLEMS) => ({
  'WWW-Authenticate': `Bearer error="invalid_token", error_description="${TOKEN_PROBLEMS[reason].en}"`,
});

describe('the limit', () => {
  it('is what the last answer said, until it is renewed', () => {
    const access = new Steps(3);
    expect(access.left()).toBe(3);
    access.learn(undefined, limits(1));
    expect(access.now.quota).toMatchObject({ limit: 3, remaining: 1, resetAt: NOW + 1_800_000 });
    expect(access.left(NOW + 1_799_999)).toBe(1);
    expect(access.left(NOW + 1_800_000)).toBe(3);
  });

  it('of 0 allows nothing at any time, and a token everything', () => {
    const access = new Steps(0);
    expect(access.left()).toBe(0);
    access.use(GOOD);
    expect(access.left()).toBe(Infinity);
  });
});

describe('a token', () => {
  it('is sent with no file before the service accepts it', () => {
    const access = new Steps(3);
    access.enter(`  Bearer ${GOOD}\n`);
    expect(access.now).toMatchObject({ token: undefined, candidate: GOOD });
    expect(access.left()).toBe(3);
    access.judge(OTHER);
    expect(access.now.token).toBeUndefined();
    access.judge(GOOD);
    expect(access.now).toMatchObject({ token: GOOD, candidate: undefined, problem: undefined });
  });

  it.each<[string, string, object]>([
    ['rejects', 'expired', refusal('expired')],
    ['does not know', 'invalid', { 'WWW-Authenticate': 'Bearer error_description="Another reason"' }],
  ])('that the service %s is not sent, and the good one before it is', (_what, problem, headers) => {
    const access = new Steps(3);
    access.use(GOOD);
    access.enter(OTHER);
    access.judge(OTHER, { ...headers });
    expect(access.now).toMatchObject({ token: GOOD, candidate: undefined, problem, wasAccepted: false });
    access.learn(GOOD);
    expect(access.now.problem).toBe(problem);
  });

  it('about which a proxy answers in place of the service is not accepted', () => {
    const access = new Steps(3);
    access.enter(GOOD);
    access.judge(GOOD, { 'WWW-Authenticate': 'Basic' }, false);
    expect(access.now).toMatchObject({ token: undefined, candidate: undefined, problem: 'unchecked' });
  });

  it('that an answer does not accept is doubted until the status says of it what it is', () => {
    const access = new Steps(3);
    access.use(GOOD);
    // The answer to another one says nothing of it.
    access.learn(OTHER, refusal('expired'));
    expect(isDoubted(access.now, NOW)).toBe(false);
    access.learn(GOOD, { ...refusal('expired'), ...limits(1) });
    expect(access.now.token).toBe(GOOD);
    expect(isDoubted(access.now, NOW)).toBe(true);

    access.judge(GOOD, {}, false);
    expect(isDoubted(access.now, NOW)).toBe(true);
    access.judge(GOOD, refusal('expired'));
    expect(access.now).toMatchObject({ token: undefined, problem: 'expired', wasAccepted: true });
    expect(access.left()).toBe(1);
  });

  it.each([
    ['when it expires', NOW / 1000 + 3600, NOW + 3_600_000],
    ['when it expires in less than a minute', NOW / 1000 + 5, NOW + 5000],
    ['a minute after the service has accepted it, though it has expired', NOW / 1000 - 3600, NOW + 60_000],
    ['never, when it does not say when it expires', undefined, Infinity],
  ])('is doubted %s', (_when, exp, doubtedFrom) => {
    const payload = btoa(JSON.stringify({ exp })).replaceAll('=', '');
    const access = new Steps(3);
    access.use(`aaa.${payload}.ccc`);
    expect(access.now.doubtedFrom).toBe(doubtedFrom);
  });

  it.each(['', 'not a token', 'aaa.bbb', 'aaa.bbb.ключ', `${GOOD} ${GOOD}`])(
    'that is none (%j) is not checked, and a good one stays',
    (text) => {
      const access = new Steps(3);
      access.use(GOOD);
      access.enter(text);
      expect(access.now).toMatchObject({ token: GOOD, candidate: undefined, problem: 'malformed' });
    },
  );

  it('that is being checked stays when the next one is none', () => {
    const access = new Steps(3);
    access.enter(OTHER);
    access.enter('not a token');
    expect(access.now).toMatchObject({ candidate: OTHER, problem: 'malformed' });
  });

  it('is gone at once when the user has it forgotten, also while it is checked', () => {
    const access = new Steps(3);
    access.use(GOOD);
    access.enter(OTHER);
    access.forget();
    access.judge(OTHER);
    expect(access.now).toEqual(firstState(3, 3600).access);
  });
});
