import { describe, expect, it } from 'vitest';
import { TOKEN_PROBLEMS } from '../../../../src/errors/token-problems.js';
import { Access } from '../../../../src/web/page/model/access.js';

const NOW = 1_000_000;
const GOOD = 'aaa.bbb.ccc';
const OTHER = 'ddd.eee.fff';

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  isDecision: status === 200 || status === 422,
});
/** Offers a token about which the service says nothing when it is asked. */
const offer = (access: Access, token: string) => {
  access.offer(token);
  access.learn(access.candidate.value, answer(0), NOW);
};
const known = ({ current, isUnlimited, problem }: Access) => ({
  current: current.value,
  isUnlimited: isUnlimited.value,
  problem: problem.value,
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
  it('is what the last answer said, until it is renewed', () => {
    const access = new Access(3);
    expect(access.left(NOW)).toBe(3);
    access.learn(undefined, answer(200, limits(1)), NOW);
    expect(access.quota.value).toEqual({ limit: 3, remaining: 1, resetAt: NOW + 1_800_000 });
    expect(access.left(NOW + 1_799_999)).toBe(1);
    expect(access.left(NOW + 1_800_000)).toBe(3);
  });

  it('of 0 allows nothing at any time, and a token everything', () => {
    const access = new Access(0);
    expect(access.left(NOW)).toBe(0);
    offer(access, GOOD);
    expect(access.left(NOW)).toBe(Infinity);
  });

  it('waits as Retry-After says when a proxy refuses, and a minute when nobody says', () => {
    const access = new Access(3);
    access.learn(undefined, answer(429, { 'Retry-After': '7' }), NOW);
    expect(access.quota.value).toMatchObject({ remaining: 0, resetAt: NOW + 7000 });
    access.learn(undefined, answer(429, limits(2)), NOW);
    expect(access.left(NOW)).toBe(0);
    access.learn(undefined, answer(429), NOW);
    expect(access.quota.value.resetAt).toBe(NOW + 60_000);
  });
});

describe('a token', () => {
  it('that the service says nothing about counts as accepted when it has decided on a file with it', () => {
    const access = new Access(3);
    offer(access, `  Bearer ${GOOD}\n`);
    expect(access.current.value).toBe(GOOD);
    for (const undecided of [answer(502), answer(429), answer(503)]) {
      access.learn(GOOD, undecided, NOW);
      expect(access.isUnlimited.value).toBe(false);
    }
    access.learn(GOOD, answer(200), NOW);
    expect(access.isUnlimited.value).toBe(true);
  });

  it.each([200, 422, 429])('is dropped with its reason when it is no longer accepted (%i)', (status) => {
    const access = new Access(3);
    offer(access, GOOD);
    access.learn(GOOD, answer(200), NOW);
    access.learn(GOOD, answer(status, { ...refusal('expired'), ...limits(1) }), NOW);
    expect(known(access)).toMatchObject({ current: undefined, isUnlimited: false, problem: 'expired' });
  });

  it.each(['', 'not a token', 'aaa.bbb', 'aaa.bbb.ключ', `${GOOD} ${GOOD}`])(
    'that is none (%j) is not sent, and a good one stays',
    (text) => {
      const access = new Access(3);
      offer(access, GOOD);
      access.learn(GOOD, answer(200), NOW);
      offer(access, text);
      expect(known(access)).toMatchObject({ current: GOOD, isUnlimited: true, problem: 'malformed' });
    },
  );

  it('that is being checked stays when the next one is none', () => {
    const access = new Access(3);
    offer(access, OTHER);
    offer(access, 'not a token');
    expect(known(access)).toMatchObject({ current: OTHER, problem: 'malformed' });
  });

  it('that is refused gives way to the good one before it', () => {
    const access = new Access(3);
    offer(access, GOOD);
    access.learn(GOOD, answer(200), NOW);
    offer(access, OTHER);
    expect(known(access)).toMatchObject({ current: OTHER, isUnlimited: false });
    access.learn(OTHER, answer(200, refusal('invalid')), NOW);
    expect(known(access)).toMatchObject({ current: GOOD, isUnlimited: true, problem: 'invalid' });
    access.learn(GOOD, answer(200), NOW);
    expect(access.problem.value).toBe('invalid');
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
    const access = new Access(3);
    expect(access.offer(GOOD)).toBe(GOOD);
    expect([access.current.value, access.left(NOW)]).toEqual([undefined, 3]);
    access.learn(OTHER, said, NOW);
    expect([access.isChecking.value, access.candidate.value]).toEqual([true, GOOD]);
    access.learn(GOOD, said, NOW);
    expect(known(access)).toMatchObject(expected);
    access.forget();
    access.learn(GOOD, said, NOW);
    expect(known(access)).toMatchObject({ current: undefined, isUnlimited: false });
  });

  it('is gone at once when the user has it forgotten', () => {
    const access = new Access(3);
    offer(access, GOOD);
    access.learn(GOOD, answer(200), NOW);
    access.forget();
    expect(known(access)).toEqual({ current: undefined, isUnlimited: false, problem: undefined });
    expect(access.left(NOW)).toBe(3);
  });

  it('is not judged by the answer to another one', () => {
    const access = new Access(3);
    offer(access, OTHER);
    access.learn(GOOD, answer(200, refusal('expired')), NOW);
    expect(known(access)).toMatchObject({ current: OTHER, problem: undefined });
  });
});

it('asks for a token when one was refused, until one is accepted or forgotten', () => {
  const access = new Access(3);
  const learn = (headers = {}) => access.learn(access.current.value, answer(200, headers), NOW);
  const steps: [string, () => unknown, boolean][] = [
    ['malformed', () => access.offer('none'), true],
    ['offered', () => offer(access, GOOD), true],
    ['accepted', () => learn(), false],
    ['refused later', () => learn(refusal('expired')), true],
    ['offered', () => offer(access, OTHER), true],
    ['forgotten', () => access.forget(), false],
  ];
  const asked = steps.map(([name, act]) => (act(), [name, access.isAsked.value]));
  expect(asked).toEqual(steps.map(([name, , isAsked]) => [name, isAsked]));
});
