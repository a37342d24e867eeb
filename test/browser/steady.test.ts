import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { textsIn } from '../../src/web/page/texts/texts.js';
import { answerAbout, DAMAGED_ANSWER, PERMIT, type Answer } from '../support/held-service.js';
import { openList } from '../support/license-page.js';
import { LIMIT } from '../support/page-service.js';

const MADE = fleet(11);
const FILES = [...MADE, { name: 'old.lic', text: PERMIT }];
/** It expires in this year, so it is among the most urgent ones. */
const DAMAGED = MADE[2]?.text;
/** What stands above the rows. */
const PARTS = '#page-title, nav > a, #results-title, .list-head > .actions, #strip, #search, .filters';

const placesOf = (page: Page) =>
  page.locator(PARTS).evaluateAll((parts) =>
    parts.map((part) => {
      const { left, top } = part.getBoundingClientRect();
      return `${part.localName} ${part.id} at ${Math.round(left)}, ${Math.round(top)}`;
    }),
  );

/** Answers as the service does, each time that the test says so. */
function answersOnDemand(answer: (text: string) => Answer) {
  const waiting: (() => void)[] = [];
  let remaining = LIMIT;
  const respond = async (text: string): Promise<Answer> => {
    remaining -= 1;
    const headers = { 'X-RateLimit-Remaining': String(remaining) };
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { ...answer(text), headers };
  };
  const answerNext = async () => {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
  };
  return { respond, answerNext };
}

describe('above the table', { tags: 'chromium' }, () => {
  it('there is so little that a list of 200 begins within the first half of a small screen', async () => {
    const { page } = await openList({ locale: 'ru-RU', viewport: { width: 1366, height: 768 } }, fleet(200));
    expect((await page.locator('.licenses').boundingBox())?.y).toBeLessThan(320);
  });

  it('on a phone the strip and the cards stay while one reads, and the first card is in the upper half', async () => {
    const text = textsIn('ru');
    const viewport = { width: 390, height: 844 };
    const { page, service, button } = await openList({ locale: 'ru-RU', viewport }, fleet(12));
    const { respond, answerNext } = answersOnDemand(answerAbout);
    service.respond = respond;
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
    expect(first[1]).toBeLessThan(422);

    await read.click();
    for (let decided = 0; decided < LIMIT; decided++) {
      await page.getByText(text('progress', { asked: LIMIT, decided })).waitFor();
      expect(await tops(), `when ${decided} are read`).toEqual(first);
      await answerNext();
    }
    await button(text('enterToken')).waitFor();
    expect(await tops(), 'when the limit is reached').toEqual(first);
  });

  it.each([
    [1366, 'ru'],
    [1440, 'en'],
    [1920, 'ru'],
  ] as const)(
    'nothing moves from the drop to the last answer, even if a file is damaged, nor in a search, %i px wide in %s',
    async (width, language) => {
      const text = textsIn(language);
      const locale = language === 'ru' ? 'ru-RU' : 'en-US';
      const { page, service, button } = await openList({ locale, viewport: { width, height: 800 } }, FILES);
      const { respond, answerNext } = answersOnDemand((text) =>
        text === DAMAGED ? DAMAGED_ANSWER : answerAbout(text),
      );
      service.respond = respond;
      const strip = page.locator('#strip');
      const search = page.locator('#search');

      await button(text('readUrgent', { count: LIMIT })).waitFor();
      const first = await placesOf(page);
      const expectNothingMoved = async (when: string) =>
        expect(await placesOf(page), when).toEqual(expect.arrayContaining(first));

      await button(text('readUrgent', { count: LIMIT })).click();
      for (let decided = 0; decided < LIMIT; decided++) {
        await strip.getByText(text('progress', { asked: LIMIT, decided })).waitFor();
        await expectNothingMoved(`when ${decided} are read`);
        await answerNext();
      }
      await button(text('enterToken')).waitFor();
      await page.locator('.license.refused').waitFor();
      await expectNothingMoved('when the limit is reached');

      await search.fill('srv-1c-05');
      await page
        .getByText(text('shownOf', { count: 1, total: FILES.length }))
        .first()
        .waitFor();
      await expectNothingMoved('in a search');
      await search.fill('nothing like it');
      await page.getByText(text('noMatches')).waitFor();
      await expectNothingMoved('in a search without a match');
      await search.fill('');
      for (const chip of await page.locator('.chip').all()) {
        await chip.click();
        await page.locator('.chip[aria-pressed=true]').and(chip).waitFor();
        await expectNothingMoved('with another filter');
      }

      await button(text('excel')).click();
      await page.locator('#excel-dialog .main').waitFor();
      await expectNothingMoved('with an open dialog');
    },
  );
});
