import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { cutCells, focused, licenseFile, LIMIT, openHeldPage, overflow } from '../support/license-page.js';

const UNLIMITED = ['Тип лицензии: клиент', 'Срок действия: не ограничен', 'Количество пользователей: 10'];

describe('a list of licenses', { tags: 'chromium' }, () => {
  it('of 200 begins within the first half of a small screen, in both languages', async () => {
    const viewport = { width: 1366, height: 768 };
    const { page, drop, rows, changeLanguage } = await openHeldPage({ locale: 'ru-RU', viewport });
    await drop(fleet(200));
    await expect.poll(() => rows.count()).toBe(200);
    for (const lang of ['ru', 'en']) {
      await page.locator(`html[lang=${lang}]`).waitFor();
      expect((await page.locator('.licenses').boundingBox())?.y).toBeLessThan(320);
      await changeLanguage();
    }
  });

  it('is used by the keyboard alone, as one tab stop', async () => {
    const { page, drop, rows } = await openHeldPage();
    await drop(
      [0, 1, 2].map((index) => ({
        ...licenseFile(index, { company: `Owner ${index}`, clearText: UNLIMITED }),
        folder: '',
      })),
    );
    await expect.poll(() => page.locator('.license.done').count()).toBe(3);
    await page.getByRole('searchbox').focus();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused(page);
    };
    expect(await press('Tab')).toBe('unlimited');
    expect(await press('ArrowRight')).toBe('Owner 0');
    expect(await press('ArrowDown', 'ArrowDown')).toBe('Owner 2');
    expect(await press('ArrowUp', 'ArrowUp', 'ArrowUp')).toBe('Owner');
    await press('Enter');
    await expect.poll(() => page.locator('th.column-owner').getAttribute('aria-sort')).toBe('ascending');
    expect(await press('ArrowDown')).toBe('Owner 0');
    await press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^Details: /);
    expect(await page.locator('.panel').innerText()).toContain('Owner 0');
    expect(await press('Escape')).toBe('Owner 0');
    await expect.poll(() => page.locator('.panel').count()).toBe(0);
    expect(await press('End')).toMatch(/^Remove from the list: /);
    await press('Enter');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await focused(page)).not.toBe('body');
    await press('Control+Home');
    expect(await press('Tab')).toBe('API reference');
  });

  it('keeps the focus in a row that moves', async () => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width: 1366, height: 768 } });
    const [few, more] = [fleet(10), fleet(30).slice(10)];
    await drop(few);
    await expect.poll(() => rows.count()).toBe(10);
    const cell = rows.nth(5).locator('td.column-product');
    await cell.click();
    const open = page.locator('.license.open');
    const rowsBefore = () => open.evaluate((row) => [...(row.parentElement?.children ?? [])].indexOf(row));
    const place = await rowsBefore();
    await drop(more);
    await expect.poll(() => rows.count()).toBe(30);
    expect(await rowsBefore()).toBeGreaterThan(place);
    expect(await page.evaluate(() => document.activeElement?.closest('.license.open') !== null)).toBe(true);
  });

  it.each([
    ['File', 1366, 'column-file'],
    ['Registration number', 1440, 'column-registrationNumber'],
  ])('keeps the focus in the row when the details hide the column %s', async (_name, width, column) => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width, height: 800 } });
    await drop(fleet(10));
    await expect.poll(() => rows.count()).toBe(10);
    await rows.nth(2).locator(`td.${column}`).focus();
    await page.keyboard.press('Enter');
    await page.locator('.panel').waitFor();
    const rowOfFocus = () => page.evaluate(() => document.activeElement?.closest('.license.open') !== null);
    await expect.poll(rowOfFocus).toBe(true);
    await page.getByRole('searchbox').focus();
    for (let key = 0; key < 3 && !(await rowOfFocus()); key++) await page.keyboard.press('Tab');
    expect(await rowOfFocus()).toBe(true);
  });

  it('opens a row by Enter while text elsewhere is selected', async () => {
    const { page, drop, rows } = await openHeldPage();
    await drop(fleet(10));
    await expect.poll(() => rows.count()).toBe(10);
    await page.locator('footer').evaluate((footer) => getSelection()?.selectAllChildren(footer));
    await rows.nth(2).locator('td.column-owner').focus();
    await page.keyboard.press('Enter');
    await page.locator('.panel').waitFor();
  });

  it('prints as a table, filtered as it is shown, with nothing cut in both languages', async () => {
    const { page, drop, column, rows, button, changeLanguage } = await openHeldPage({ locale: 'ru-RU' });
    await drop(fleet(45));
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
    const columns = ['validUntil', 'owner', 'product', 'users', 'computer', 'pin', 'file'];
    for (const lang of ['ru', 'en']) {
      await page.emulateMedia({ media: 'print' });
      expect(await page.getAttribute('html', 'lang')).toBe(lang);
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
