import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { openDomPage } from '../support/dom-page.js';
import { REJECTED } from '../support/held-service.js';
import { decoded } from '../unit/web/model/licenses.js';

const GOOD = 'aaa.bbb.good';
const isGood = (token: string | undefined) => token === `Bearer ${GOOD}`;
const FILES = Array.from({ length: 8 }, (_, index) => ({ name: `${index}.lic` }));
const LIMIT = 5;
/** When the window of the limit ends. */
const LATER = String.raw`(?:tomorrow )?from \d{1,2}:\d\d [AP]M`;

/** Answers as the service does: so many decodes without a token, and with one that has expired. */
function limitedService() {
  let remaining = LIMIT;
  return (_text: string, { headers: { authorization } }: IncomingMessage) => {
    if (isGood(authorization)) return { body: decoded({}) };
    const isLimited = remaining === 0;
    remaining = Math.max(0, remaining - 1);
    const headers = {
      'X-RateLimit-Limit': String(LIMIT),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': '1800',
      ...(authorization && REJECTED),
    };
    if (isLimited) return { status: 429, headers, body: { error: 'rate_limited', message: 'Wait.' } };
    return { headers, body: decoded({}) };
  };
}

it('offers no reading while nothing of it is left', async () => {
  const headers = { 'X-RateLimit-Limit': '1', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1800' };
  const failed = { status: 500, headers, body: { error: 'internal_error', message: '' } };
  const page = await openDomPage(() => failed, 1);
  page.choose(...FILES.slice(0, 2));
  await page.shows('Limit: 1 file an hour');
  const offers = () => page.texts('button').filter((name) => /^(?:Get|Read|Try again|Retry)/.test(name));
  document.querySelector<HTMLElement>('.license')?.click();
  await expect.poll(offers).toEqual(['Read 1', 'Get PIN code: 0.lic', 'Get PIN code', 'Get PIN code: 1.lic']);
  await page.press('Get PIN code: 1.lic');
  await page.shows(/The limit is used up. You can read 1 more (?:tomorrow )?from/);
  expect(offers()).toEqual([]);
});

it('is told before and after it is reached, and lifted by a token that the service accepts', async () => {
  const page = await openDomPage(limitedService(), LIMIT, { accepts: isGood });
  page.choose(...FILES);
  await page.shows(
    new RegExp(`8 licenses not read yet. You can read 5 now, 3 more ${LATER}, or with a token.`),
  );
  expect(page.service.decodes).toEqual([]);
  await page.press('Limit: 5 files an hour');
  page.useToken('key');
  await page.shows('The token is incomplete.');
  page.useToken('aaa.bbb.old');
  await page.shows('The token has expired. Ask the administrator for a new one.');
  // It stays, to be corrected.
  expect(document.querySelector<HTMLInputElement>('#token')?.value).toBe('aaa.bbb.old');
  // It cost nothing.
  expect(page.service.decodes).toEqual([]);
  await page.press('Read the 5 most urgent');
  await page.shows(new RegExp(`The limit is used up. You can read 3 more ${LATER}, or with a token.`));
  expect(page.texts('#strip button')).toContain('Enter a token');
  page.useToken(`Bearer ${GOOD}`);
  await page.shows('Token accepted: no limit');
  expect(page.service.decodes).toHaveLength(5);
  await page.press('Read 3');
  await expect.poll(() => page.service.decodes.length).toBe(FILES.length);
  expect(document.querySelector('#token')).toBeNull();
  await page.press('Token accepted: no limit');
  await page.press('Forget the token');
  await page.shows('Limit: 0 of 5 left');
});

it('a token that is lost empties the queue, and with the next one nothing is read by itself', async () => {
  let isLost = false;
  const respond = () => ({ headers: isLost ? REJECTED : {}, body: decoded({}) });
  const page = await openDomPage(respond, LIMIT, { accepts: () => !isLost });
  page.choose(...FILES);
  await page.press('Limit: 5 files an hour');
  page.useToken(GOOD);
  await page.shows('Token accepted: no limit');
  isLost = true;
  await page.press('Read 8');
  await expect.poll(() => page.texts('#announcer')).toEqual(['Token no longer valid']);
  // The badge and the strip tell what holds now, which the next row's button uses.
  await page.shows(new RegExp(`The token has expired. 4 licenses not read yet.`));
  await expect.poll(() => page.texts('nav button')).toContain('Limit: 5 files an hour');

  isLost = false;
  await page.press('Enter a new one');
  page.useToken(GOOD);
  await page.shows('Token accepted: no limit');
  await page.shows('4 licenses not read yet.');
  expect(page.service.decodes).toHaveLength(4);
});

it('is told without a word of tokens where the service accepts none', async () => {
  const page = await openDomPage(limitedService(), LIMIT, { acceptsTokens: false });
  const told = () => page.texts('nav, #strip, dialog').join(' ');
  page.choose(...FILES);
  await expect.poll(told).toMatch(/You can read 5 now, 3 more (?:tomorrow )?from [^,]+[.]/);
  expect(told()).not.toMatch(/token/i);
  await page.press('Read the 5 most urgent');
  await expect.poll(told).toMatch(/The limit is used up. You can read 3 more (?:tomorrow )?from [^,]+[.]/);
  expect(told()).toContain('Limit: 0 of 5 left');
  expect(told()).not.toMatch(/token/i);
});
