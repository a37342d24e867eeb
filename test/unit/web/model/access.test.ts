import { describe, expect, it } from 'vitest';
import { TOKEN_PROBLEMS } from '../../../../src/errors/token-problems.js';
import {
  firstAccess,
  isUnlimited,
  learned,
  leftOf,
  offered,
  tokenIn,
  tokenToSend,
  withoutToken,
  type AccessAnswer,
} from '../../../../src/web/page/model/access.js';

const NOW = 1_000_000;
const GOOD = 'aaa.bbb.ccc';
const OTHER = 'ddd.eee.fff';

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  sentAt: NOW,
  isDecision: status === 200 || status === 422,
});
/** What the page may send, step by step. */
class Steps {
  now;

  constructor(limit: number) {
    this.now = firstAccess(limit, 3600);
  }

  /** Offers a token about which the service says nothing when it is asked. */
  offer(text: string): void {
    this.check(text);
    this.learn(this.now.candidate, answer(0));
  }

  check(text: string): void {
    this.now = offered(this.now, tokenIn(text));
  }

  learn(sent: string | undefined, said: AccessAnswer): void {
    this.now = learned(this.now, sent, said);
  }

  forget(): void {
    this.now = withoutToken(this.now);
  }

  left(now = NOW): number {
    return leftOf(this.now, now);
  }

  get known() {
    return { current: tokenToSend(this.now), isUnlimited: isUnlimited(this.now), problem: this.now.problem };
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
    access.learn(undefined, answer(200, limits(1)));
    expect(access.now.quota).toMatchObject({ limit: 3, remaining: 1, resetAt: NOW + 1_800_000 });
    expect(access.left(NOW + 1_799_999)).toBe(1);
    expect(access.left(NOW + 1_800_000)).toBe(3);
  });

  it('of 0 allows nothing at any time, and a token everything', () => {
    const access = new Steps(0);
    expect(access.left()).toBe(0);
    access.offer(GOOD);
    expect(access.left()).toBe(Infinity);
  });

  it('waits as Retry-After says when a proxy refuses, and a minute when nobody says', () => {
    const access = new Steps(3);
    access.learn(undefined, answer(429, { 'Retry-After': '7' }));
    expect(access.now.quota).toMatchObject({ remaining: 0, resetAt: NOW + 7000 });
    access.learn(undefined, answer(429, limits(2)));
    expect(access.left()).toBe(0);
    access.learn(undefined, answer(429));
    expect(access.now.quota.resetAt).toBe(NOW + 60_000);
  });
});

describe('a token', () => {
  it('that the service says nothing about counts as accepted when it has decided on a file with it', () => {
    const access = new Steps(3);
    access.offer(`  Bearer ${GOOD}\n`);
    expect(access.known.current).toBe(GOOD);
    for (const undecided of [answer(502), answer(429), answer(503)]) {
      access.learn(GOOD, undecided);
      expect(access.known.isUnlimited).toBe(false);
    }
    access.learn(GOOD, answer(200));
    expect(access.known.isUnlimited).toBe(true);
  });

  it.each([200, 422, 429])('is dropped with its reason when it is no longer accepted (%i)', (status) => {
    const access = new Steps(3);
    access.offer(GOOD);
    access.learn(GOOD, answer(200));
    access.learn(GOOD, answer(status, { ...refusal('expired'), ...limits(1) }));
    expect(access.known).toMatchObject({ current: undefined, isUnlimited: false, problem: 'expired' });
  });

  it.each(['', 'not a token', 'aaa.bbb', 'aaa.bbb.ключ', `${GOOD} ${GOOD}`])(
    'that is none (%j) is not sent, and a good one stays',
    (text) => {
      const access = new Steps(3);
      access.offer(GOOD);
      access.learn(GOOD, answer(200));
      access.offer(text);
      expect(access.known).toMatchObject({ current: GOOD, isUnlimited: true, problem: 'malformed' });
    },
  );

  it('that is being checked stays when the next one is none', () => {
    const access = new Steps(3);
    access.offer(OTHER);
    access.offer('not a token');
    expect(access.known).toMatchObject({ current: OTHER, problem: 'malformed' });
  });

  it('that is refused gives way to the good one before it', () => {
    const access = new Steps(3);
    access.offer(GOOD);
    access.learn(GOOD, answer(200));
    access.offer(OTHER);
    expect(access.known).toMatchObject({ current: OTHER, isUnlimited: false });
    access.learn(OTHER, answer(200, refusal('invalid')));
    expect(access.known).toMatchObject({ current: GOOD, isUnlimited: true, problem: 'invalid' });
    access.learn(GOOD, answer(200));
    expect(access.known.problem).toBe('invalid');
  });

  it.each<[string, ReturnType<typeof answer>, object]>([
    ['accepts', answer(200), { current: GOOD, isUnlimited: true }],
    ['rejects', answer(200, refusal('expired')), { current: undefined, problem: 'expired' }],
    [
      'is not asked: a proxy answered',
      answer(401, { 'WWW-Authenticate': 'Basic' }),
      { current: GOOD, isUnlimited: false },
    ],
  ])('is sent with no file before the service %s it', (_what, said, expected) => {
    const access = new Steps(3);
    access.check(GOOD);
    expect([access.known.current, access.left()]).toEqual([undefined, 3]);
    access.learn(OTHER, said);
    expect([access.now.isChecking, access.now.candidate]).toEqual([true, GOOD]);
    access.learn(GOOD, said);
    expect(access.known).toMatchObject(expected);
    access.forget();
    access.learn(GOOD, said);
    expect(access.known).toMatchObject({ current: undefined, isUnlimited: false });
  });

  it('is gone at once when the user has it forgotten', () => {
    const access = new Steps(3);
    access.offer(GOOD);
    access.learn(GOOD, answer(200));
    access.forget();
    expect(access.known).toEqual({ current: undefined, isUnlimited: false, problem: undefined });
    expect(access.left()).toBe(3);
  });

  it('is not judged by the answer to another one', () => {
    const access = new Steps(3);
    access.offer(OTHER);
    access.learn(GOOD, answer(200, refusal('expired')));
    expect(access.known).toMatchObject({ current: OTHER, problem: undefined });
  });
});

it('asks for a token when one was refused, until one is accepted or forgotten', () => {
  const access = new Steps(3);
  const learn = (headers = {}) => access.learn(access.known.current, answer(200, headers));
  const steps: [string, () => unknown, boolean][] = [
    ['malformed', () => access.check('none'), true],
    ['offered', () => access.offer(GOOD), true],
    ['accepted', () => learn(), false],
    ['refused later', () => learn(refusal('expired')), true],
    ['offered', () => access.offer(OTHER), true],
    ['forgotten', () => access.forget(), false],
  ];
  const asked = steps.map(([name, act]) => (act(), [name, access.now.isAsked]));
  expect(asked).toEqual(steps.map(([name, , isAsked]) => [name, isAsked]));
});

it('knows whether the token that is refused had been accepted before', () => {
  const access = new Steps(3);
  access.offer(GOOD);
  access.learn(GOOD, answer(401, refusal('expired')));
  expect(access.now.wasAccepted).toBe(false);
  access.offer(OTHER);
  access.learn(OTHER, answer(200));
  access.learn(OTHER, answer(200, refusal('expired')));
  expect(access.now.wasAccepted).toBe(true);
});
