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

  it('keeps the open row where it is on the screen while others come before it', async () => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width: 1366, height: 768 } });
    const [few, more] = [fleet(80), fleet(140).slice(80)];
    await drop(few);
    await expect.poll(() => rows.count()).toBe(80);
    await rows.nth(15).locator('td.column-product').click();
    const open = page.locator('.license.open');
    const top = async () => Math.round((await open.boundingBox())?.y ?? NaN);
    await page.locator('.panel').waitFor();
    const before = await top();
    const rowsBefore = () => open.evaluate((row) => [...(row.parentElement?.children ?? [])].indexOf(row));
    const place = await rowsBefore();
    await drop(more);
    await expect.poll(() => rows.count()).toBe(140);
    expect(await rowsBefore()).toBeGreaterThan(place);
    // Rows of which only now the height is known may move it a little.
    expect(Math.abs((await top()) - before)).toBeLessThan(100);
    expect(await page.evaluate(() => document.activeElement?.closest('.license.open') !== null)).toBe(true);
    // Who searches stays at the search, wherever the open row goes.
    const search = page.getByRole('searchbox');
    await search.fill(await open.locator('td.column-file').innerText());
    await expect.poll(() => rows.count()).toBe(1);
    const scrolled = () => page.evaluate(() => scrollY);
    const atSearch = await scrolled();
    await search.fill('');
    await expect.poll(() => rows.count()).toBe(140);
    expect(await rowsBefore()).toBeGreaterThan(place);
    expect(await scrolled()).toBe(atSearch);
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
