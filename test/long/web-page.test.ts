import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { DAMAGED, openLicensePage, overflow, violations, type GivenFile } from '../support/license-page.js';

describe('the page', { tags: 'whole-chromium' }, () => {
  it.each([
    ['ru-RU', 'light'],
    ['ru-RU', 'dark'],
    ['en-US', 'light'],
    ['en-US', 'dark'],
  ] as const)(
    'is accessible and fits at any width, however many files it has (%s, %s)',
    async (locale, colorScheme) => {
      const { page, drop, rows, complaints } = await openLicensePage({ locale, colorScheme });
      const widths = [360, 800, 1280, 1366, 1920];
      const check = async (isAccessible = true) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          expect(await overflow(page), `at ${width} px`).toBe(0);
          if (isAccessible) expect(await violations(page), `at ${width} px`).toEqual([]);
        }
      };
      await check();
      const files = fleet(1000) as GivenFile[];
      for (const count of [1, 9, 1000]) {
        await drop([DAMAGED, ...files.slice(0, count - 1)]);
        await expect.poll(rows).toBe(count);
        await page.locator('td.column-validUntil').first().click();
        for (const part of await page.locator('.panel summary').all()) await part.click();
        // A row more is a row alike, and axe takes half a minute for 1,000 of them.
        await check(count <= 9);
        await page.keyboard.press('Escape');
      }
      expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
    },
  );
});
