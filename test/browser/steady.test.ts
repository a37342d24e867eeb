import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { textsIn, type TextKey, type TextValues } from '../../src/web/page/texts/texts.js';
import { answerAbout, LIMIT, type Answer } from '../support/held-service.js';
import { openHeldPage } from '../support/license-page.js';

const FILES = fleet(12);
/** What stands above the rows. */
const PARTS = ['#page-title', 'nav > a', '#results-title', '.list-head .actions', '#strip', '#search'];

/** Where each part stands, and where the table begins. */
const places = (page: Page) =>
  page.evaluate((parts) => {
    const placeOf = (part: string) => {
      const element = document.querySelector(part);
      if (!element) throw new Error(`There is no ${part}`);
      const { left, top, height } = element.getBoundingClientRect();
      return `${part}: ${left} ${top} ${height}`;
    };
    const { top, left } = document.querySelector('.table')?.getBoundingClientRect() ?? {};
    return [...parts.map(placeOf), `.table: ${left} ${top}`];
  }, PARTS);

/** Answers as the service does, each time that the test says so. */
function answersOnDemand() {
  const waiting: (() => void)[] = [];
  let remaining = LIMIT;
  const respond = async (text: string): Promise<Answer> => {
    remaining -= 1;
    const headers = { 'X-RateLimit-Remaining': String(remaining) };
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { ...answerAbout(text), headers };
  };
  const answerNext = async () => {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
  };
  return { respond, answerNext };
}

describe.each(['ru', 'en'] as const)('above the table in %s', { tags: 'chromium' }, (language) => {
  const text = (key: TextKey, values?: TextValues) => textsIn(language)(key, values);

  it('on a phone the strip and the cards stay while one reads, and the first card is in the upper third', async () => {
    const { page, service, drop, button } = await openHeldPage({
      locale: language === 'ru' ? 'ru-RU' : 'en-US',
      viewport: { width: 390, height: 844 },
    });
    const { respond, answerNext } = answersOnDemand();
    service.respond = respond;
    await drop(FILES);
    const read = button(text('readUrgent', { count: LIMIT }));
    await read.waitFor();
    const tops = () =>
      page.evaluate(async () => {
        // The browser gives new cards their own height only when it draws a frame. Until then it takes an estimate.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        const parts = document.querySelectorAll('#strip, .license:nth-child(-n + 4)');
        return [...parts].map((part) => Math.round(part.getBoundingClientRect().top + scrollY));
      });
    const first = await tops();
    expect(first[1]).toBeLessThan(300);

    await read.click();
    for (let decided = 0; decided < LIMIT; decided++) {
      await page.getByText(text('progress', { asked: LIMIT, decided })).waitFor();
      expect(await tops(), `when ${decided} are read`).toEqual(first);
      await answerNext();
    }
    await button(text('readWhenRenewed')).click();
    await button(text('readNoMore')).waitFor();
    expect(await tops(), 'when it goes on by itself').toEqual(first);
  });

  it.each([1366, 1440, 1920])(
    'nothing moves from the drop to the last answer, nor in a search, %i px wide',
    async (width) => {
      const { page, service, drop, button } = await openHeldPage({
        locale: language === 'ru' ? 'ru-RU' : 'en-US',
        viewport: { width, height: 800 },
      });
      const { respond, answerNext } = answersOnDemand();
      service.respond = respond;
      const says = (key: TextKey, values?: TextValues) =>
        page.locator('#strip').getByText(text(key, values)).waitFor();

      await drop(FILES);
      await says('unreadFiles', { unread: FILES.length });
      const first = await places(page);
      const expectNothingMoved = async (when: string) => expect(await places(page), when).toEqual(first);

      await button(text('readUrgent', { count: LIMIT })).click();
      for (let decided = 0; decided < LIMIT; decided++) {
        await says('progress', { asked: LIMIT, decided });
        await expectNothingMoved(`when ${decided} are read`);
        await answerNext();
      }
      await button(text('readWhenRenewed')).waitFor();
      await expectNothingMoved('when the limit is reached');

      await page.locator('#search').fill('srv-1c-05');
      await page.getByText(text('found', { count: 1, total: FILES.length })).waitFor();
      await expectNothingMoved('in a search');
      await page.locator('#search').fill('nothing like it');
      await page.getByText(text('noMatches')).waitFor();
      await expectNothingMoved('in a search without a match');
      await page.locator('#search').fill('');
      await page.locator('[aria-pressed]').nth(1).click();
      await page.locator('[aria-pressed="true"]').and(page.locator('[aria-pressed]').nth(1)).waitFor();
      await expectNothingMoved('with another filter');

      await button(text('excelMenu')).click();
      await page.locator('#excel-menu .main').waitFor();
      await expectNothingMoved('with an open menu');
    },
  );
});
