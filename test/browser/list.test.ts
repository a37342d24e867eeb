import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { formatPin } from '../../src/ring/output/license-name.js';
import { PERMIT } from '../support/held-service.js';
import { cutCells, focused, openHeldPage, openList, overflow } from '../support/license-page.js';
import { LIMIT } from '../support/page-service.js';

/** A user without a pointer. */
function keyboardOf(page: Page) {
  /** Presses keys, none of which may lose the focus, and tells what has it then. */
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      expect(await focused(page), `after ${key}`).not.toBe('body');
    }
    return focused(page);
  };
  /** Presses a key until the element has the focus. */
  const moveTo = async (selector: string, key = 'Tab') => {
    const element = page.locator(`${selector}:focus`);
    do await press(key);
    while ((await element.count()) === 0);
  };
  return { press, moveTo };
}

describe('a list of licenses', { tags: 'chromium' }, () => {
  it('is chosen, read, exported and shortened by the keyboard alone, also when an update has removed the files of the page', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, choose, rows } = await openHeldPage({ permissions });
    const { press, moveTo } = keyboardOf(page);
    await moveTo('#files');
    await choose(...fleet(12));
    await expect.poll(() => focused(page)).toBe('12 licenses');

    await moveTo('#strip .main');
    expect(await focused(page)).toBe('Read the 5 most urgent');
    await press('Enter');
    await expect.poll(() => page.locator('.license.done').count()).toBe(LIMIT);
    await page.locator('#strip:focus').waitFor();

    await moveTo('td.column-validUntil button');
    await press('Enter');
    await page.locator('.details').waitFor();
    await moveTo('.field-pin button');
    await press('Enter');
    const pin = await page.locator('.field-pin .digits').innerText();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(pin);

    await page.waitForFunction(() =>
      performance.getEntries().some(({ name }) => name.includes('/export-list-')),
    );
    await page.route('**/assets/**', (route) => route.abort());
    await moveTo('[aria-controls=excel-dialog]', 'Shift+Tab');
    await press('Enter');
    await page.locator('#excel-dialog input:focus').waitFor();
    const downloading = page.waitForEvent('download');
    await press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
    await expect.poll(() => focused(page)).toBe('Excel');

    await page.getByRole('button', { name: 'Remove from the list' }).press('Enter');
    await expect.poll(() => rows.count()).toBe(11);
    expect(await focused(page)).not.toBe('body');
  });

  it('keeps the focus in a row that moves', async () => {
    const { page, drop, rows } = await openList({ viewport: { width: 1600, height: 768 } });
    await rows.nth(5).locator('td.column-product').click();
    const open = page.locator('.license.open');
    const rowsBefore = () => open.evaluate((row) => [...(row.parentElement?.children ?? [])].indexOf(row));
    const place = await rowsBefore();
    await drop(fleet(30).slice(10));
    await expect.poll(() => rows.count()).toBe(30);
    expect(await rowsBefore()).toBeGreaterThan(place);
    expect(await open.locator(':focus').count()).toBe(1);
  });

  it('has rows of one height, whatever is known of their licenses and whether details are open', async () => {
    const old = { name: 'old.lic', text: PERMIT };
    const note = { name: 'note.lic', text: 'no license' };
    const viewport = { width: 1366, height: 800 };
    const { page, rows, button } = await openList({ viewport }, [...fleet(10), old, note]);
    const heights = () =>
      page.locator('.license').evaluateAll((all) => [...new Set(all.map((row) => row.clientHeight))]);
    const [height = 0, ...others] = await heights();
    expect(others).toEqual([]);
    expect(height).toBeLessThan(38);
    await button(/^Read the 5/).click();
    await expect.poll(() => page.locator('.license.done').count()).toBe(LIMIT);
    await rows.nth(2).locator('td.column-product').click();
    await page.locator('.details').waitFor();
    expect(await heights()).toEqual([height]);
  });

  it('has controls of 44 pixels on a phone', async () => {
    const { page } = await openList({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.locator('#search').fill('lic');
    const controls = page.locator('.filters :is(button, input, select)');
    const boxes = await controls.evaluateAll((elements) =>
      elements.filter((element) => element.checkVisibility()).map((element) => element.clientHeight),
    );
    // With the borders of a pixel above and below.
    expect(Math.min(...boxes)).toBeGreaterThanOrEqual(42);
  });

  it('prints without PIN codes and owners when that is asked for', async () => {
    const files = fleet(3);
    const { page, drop, button } = await openHeldPage();
    await drop(files);
    await expect.poll(() => page.locator('.license.done').count()).toBe(3);
    // The number of a house may stand in a date, too.
    const secrets = files
      .flatMap(({ permit: { pin, customer } }) => [formatPin(pin), ...Object.values(customer).map(String)])
      .filter(({ length }) => length > 3);
    const secretsOnPaper = async () => {
      await page.emulateMedia({ media: 'print' });
      const paper = await page.locator('body').innerText();
      await page.emulateMedia({ media: 'screen' });
      return secrets.filter((secret) => paper.includes(secret));
    };
    await page.evaluate(() => (window.print = () => undefined));
    await button('More actions').click();
    await button('Print without PIN codes and owners').click();
    expect(await secretsOnPaper()).toEqual([]);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await secretsOnPaper()).toContain(files[0]?.permit.customer.company);
  });

  it('prints as a table, filtered as it is shown, with nothing cut in both languages', async () => {
    const files = fleet(45);
    const { page, column, rows, button, changeLanguage } = await openList({ locale: 'ru-RU' }, files);
    await button(/^Прочитать 5/).click();
    await expect.poll(() => column('pin').filter({ hasText: /\d/ }).count()).toBe(LIMIT);
    await page.getByRole('searchbox').fill('сервер');
    await expect.poll(() => rows.count()).toBeLessThan(20);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => rows.count()).toBe(45);
    // An A4 page in landscape without its margins of 10 mm, at 96 pixels per inch.
    await page.setViewportSize({ width: Math.floor(((297 - 20) / 25.4) * 96), height: 700 });
    const columns = ['validUntil', 'owner', 'product', 'users', 'number', 'computer', 'pin'];
    for (const lang of ['ru', 'en']) {
      await page.emulateMedia({ media: 'print' });
      expect(await page.getAttribute('html', 'lang')).toBe(lang);
      // The day on which it was printed.
      expect(await page.locator('.on-paper').isVisible()).toBe(true);
      expect(await overflow(page)).toBe(0);
      expect(await cutCells(page, columns)).toEqual([]);
      const lines = await page
        .locator('td.column-pin')
        .evaluateAll((cells) => Math.max(...cells.map((cell) => cell.getClientRects().length)));
      expect(lines).toBe(1);
      await page.emulateMedia({ media: 'screen' });
      await changeLanguage();
    }
  });
});
