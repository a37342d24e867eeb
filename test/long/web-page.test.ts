import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { DAMAGED, openLicensePage, overflow, violations, type GivenFile } from '../support/license-page.js';

const WIDTHS = [360, 800, 1280, 1366, 1920];

describe('the page', { tags: 'whole-chromium' }, () => {
  it.each(['ru-RU', 'en-US'])(
    'is accessible in both color schemes, and fits, at any width (%s)',
    async (locale) => {
      const { page, drop, rows, complaints } = await openLicensePage({ locale });
      const check = async () => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          expect(await overflow(page), `at ${width} px`).toBe(0);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            expect(await violations(page), `${colorScheme}, at ${width} px`).toEqual([]);
          }
        }
      };
      await check();
      const files = fleet(9) as GivenFile[];
      for (const count of [1, 9]) {
        await drop([DAMAGED, ...files.slice(0, count - 1)]);
        await expect.poll(rows).toBe(count);
        await page.locator('td.column-validUntil').first().click();
        for (const part of await page.locator('.panel summary').all()) await part.click();
        await check();
        await page.keyboard.press('Escape');
      }
      expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
    },
  );

  it('with 1,000 licenses fits at any width in both languages', async () => {
    const { page, drop, rows, complaints, changeLanguage } = await openLicensePage({ locale: 'ru-RU' });
    await drop(fleet(1000));
    await expect.poll(rows).toBe(1000);
    for (const lang of ['ru', 'en']) {
      expect(await page.getAttribute('html', 'lang')).toBe(lang);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page), `at ${width} px`).toBe(0);
      }
      await changeLanguage();
    }
    expect(complaints).toEqual([]);
  });
});
