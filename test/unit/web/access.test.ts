import { describe, expect, it } from 'vitest';
import { TOKEN_PROBLEMS } from '../../../src/errors/token-problems.js';
import { Access } from '../../../src/web/page/access.js';

const NOW = 1_000_000;
const GOOD = 'aaa.bbb.ccc';
const OTHER = 'ddd.eee.fff';

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  isDecision: status === 200 || status === 422,
});
const limits = (remaining: number) => ({
  'X-RateLimit-Limit': '3',
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': '1800',
});
const refusal = (reason: keyof typeof TOKEN_PROBLEMS) => ({
  'WWW-Authenticate': `Bearer error="invalid_token", error_description="${TOKEN_PROBLEMS[reason].en}"`,
});

describe('the limit', () => {
  it('is used up when nothing is left, until it is renewed', () => {
    const access = new Access(3);
    expect(access.isUsedUp(NOW)).toBe(false);
    access.learn(undefined, answer(200, limits(0)), NOW);
    expect(access.quota).toEqual({ limit: 3, remaining: 0, resetAt: NOW + 1_800_000 });
    expect(access.isUsedUp(NOW + 1_799_999)).toBe(true);
    expect(access.isUsedUp(NOW + 1_800_000)).toBe(false);
  });

  it('of 0 allows nothing at any time, and a token everything', () => {
    const access = new Access(0);
    expect(access.isUsedUp(NOW)).toBe(true);
    access.offer(GOOD);
    expect(access.isUsedUp(NOW)).toBe(false);
  });

  it('waits as Retry-After says when a proxy refuses, and a minute when nobody says', () => {
    const access = new Access(3);
    access.learn(undefined, answer(429, { 'Retry-After': '7' }), NOW);
    expect(access.quota.resetAt).toBe(NOW + 7000);
    access.learn(undefined, answer(429), NOW);
    expect(access.quota.resetAt).toBe(NOW + 60_000);
  });
});

describe('a token', () => {
  it('counts as accepted only when the service has decided on a file with it', () => {
    const access = new Access(3);
    access.offer(`  Bearer ${GOOD}\n`);
    expect(access.current).toBe(GOOD);
    for (const undecided of [answer(502), answer(429), answer(503)]) {
      access.learn(GOOD, undecided, NOW);
      expect(access.isUnlimited).toBe(false);
    }
    access.learn(GOOD, answer(200), NOW);
    expect(access.isUnlimited).toBe(true);
  });

  it.each([200, 422, 429])(
    'is dropped with its reason when the service does not accept it (%i)',
    (status) => {
      const access = new Access(3);
      access.offer(GOOD);
      access.learn(GOOD, answer(status, { ...refusal('expired'), ...limits(1) }), NOW);
      expect(access).toMatchObject({ current: undefined, problem: 'expired' });
    },
  );

  it.each(['', 'not a token', 'aaa.bbb', 'aaa.bbb.ключ', `${GOOD} ${GOOD}`])(
    'that is none (%j) is not sent, and a good one stays',
    (text) => {
      const access = new Access(3);
      access.offer(GOOD);
      access.learn(GOOD, answer(200), NOW);
      access.offer(text);
      expect(access).toMatchObject({ current: GOOD, isUnlimited: true, problem: 'malformed' });
    },
  );

  it('that is refused gives way to the good one before it', () => {
    const access = new Access(3);
    access.offer(GOOD);
    access.learn(GOOD, answer(200), NOW);
    access.offer(OTHER);
    expect(access).toMatchObject({ current: OTHER, isUnlimited: false });
    access.learn(OTHER, answer(200, refusal('invalid')), NOW);
    expect(access).toMatchObject({ current: GOOD, isUnlimited: true, problem: 'invalid' });
    access.learn(GOOD, answer(200), NOW);
    expect(access.problem).toBe('invalid');
  });

  it('is not judged by the answer to another one', () => {
    const access = new Access(3);
    access.offer(OTHER);
    access.learn(GOOD, answer(200, refusal('expired')), NOW);
    expect(access).toMatchObject({ current: OTHER, problem: undefined });
  });

  it('that expires is dropped', () => {
    const access = new Access(3);
    access.offer(GOOD);
    access.learn(GOOD, answer(200), NOW);
    access.learn(GOOD, answer(200, refusal('expired')), NOW);
    expect(access).toMatchObject({ current: undefined, isUnlimited: false, problem: 'expired' });
  });
});
