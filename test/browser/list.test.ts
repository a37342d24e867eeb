import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import {
  cutCells,
  focused,
  licenseFile,
  LIMIT,
  openHeldPage,
  overflow,
  violations,
} from '../support/license-page.js';

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
    const toOwner = Array.from({ length: 5 }, () => 'ArrowRight');
    expect(await press(...toOwner)).toBe('Owner 0');
    expect(await press('ArrowDown', 'ArrowDown')).toBe('Owner 2');
    expect(await press('ArrowUp', 'ArrowUp', 'ArrowUp')).toBe('Owner');
    await press('Enter');
    await expect.poll(() => page.locator('th.column-owner').getAttribute('aria-sort')).toBe('ascending');
    expect(await press('ArrowDown')).toBe('Owner 0');
    await press('Enter');
    await page.locator('.details').getByRole('button', { name: 'Owner 0' }).waitFor();
    expect(await press('Escape')).toBe('Owner 0');
    await expect.poll(() => page.locator('.details').count()).toBe(0);
    expect(await press('End')).toMatch(/^Actions: /);
    await press('Enter');
    await expect.poll(() => focused(page)).toBe('Remove from the list');
    await press('Enter');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await focused(page)).not.toBe('body');
    await press('Control+Home');
    expect(await press('Tab')).toBe('API reference');
  });

  it('keeps the focus in a row that moves', async () => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width: 1600, height: 768 } });
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

  it('has rows of one height, whatever is known of their licenses and whether details are open', async () => {
    const { page, drop, rows, button } = await openHeldPage({ viewport: { width: 1366, height: 800 } });
    const note = { name: 'note.lic', text: 'no license' };
    await drop([...fleet(10), { name: 'old.lic', text: 'eA==\n' }, note]);
    await expect.poll(() => rows.count()).toBe(12);
    const heights = () =>
      page.locator('.license').evaluateAll((all) => [...new Set(all.map((row) => row.clientHeight))]);
    const [height = 0, ...others] = await heights();
    expect(others).toEqual([]);
    expect(height).toBeLessThan(38);
    await button(/^Get the 5/).click();
    await expect.poll(() => page.locator('.license.done').count()).toBe(LIMIT);
    await rows.nth(2).locator('td.column-file').press('Enter');
    await page.locator('.details').waitFor();
    expect(await heights()).toEqual([height]);
  });

  it('has the actions of a row in a menu that is used by the keyboard alone', async () => {
    const { page, drop, rows } = await openHeldPage();
    await drop(fleet(10));
    await expect.poll(() => rows.count()).toBe(10);
    await rows.nth(2).locator('.column-actions button').focus();
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return focused(page);
    };
    const name = await focused(page);
    await press('Enter');
    await expect.poll(() => focused(page)).toBe('Get PIN code');
    expect(await press('Tab')).toBe('Remove from the list');
    expect(await violations(page)).toEqual([]);
    await press('Escape');
    await expect.poll(() => focused(page)).toBe(name);
    expect(await page.locator('#row-menu').isVisible()).toBe(false);
  });

  it.each([1366, 390])('opens a menu beside the button of its row, at %i px', async (width) => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width, height: 800 } });
    await drop(fleet(40));
    await expect.poll(() => rows.count()).toBe(40);
    const menu = page.locator('#row-menu');
    // The first ones are in the upper half of the window, the last ones in the lower half.
    for (const row of [rows.nth(1), rows.nth(30), rows.last()]) {
      const button = row.locator('.row-menu-button');
      await button.click();
      const [place, menuPlace] = [await button.boundingBox(), await menu.boundingBox()];
      if (!place || !menuPlace) expect.unreachable('There is no menu.');
      const below = menuPlace.y - (place.y + place.height);
      const above = place.y - (menuPlace.y + menuPlace.height);
      expect(Math.max(below, above)).toBeCloseTo(4, 0);
      expect(menuPlace.y).toBeGreaterThanOrEqual(0);
      expect(menuPlace.y + menuPlace.height).toBeLessThanOrEqual(800);
      await page.keyboard.press('Escape');
    }
  });

  it.each(['ru-RU', 'en-US'])('stays where it is while one searches and filters, in %s', async (locale) => {
    for (const width of [1366, 1920]) {
      const { page, drop, rows } = await openHeldPage({ locale, viewport: { width, height: 800 } });
      await drop([...fleet(60), { name: 'old.lic', text: 'eA==\n' }]);
      await expect.poll(() => rows.count()).toBe(61);
      const placesNow = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('.chip, #search, .table')].map((element) => {
            const { left, top } = element.getBoundingClientRect();
            return [Math.round(left), Math.round(top)];
          }),
        );
      const before = await placesNow();
      for (const chip of await page.locator('.chip').all()) {
        await chip.click();
        expect(await placesNow()).toEqual(before);
      }
      await page.locator('.chip').first().click();
      for (const search of ['x64', 'BUH-PC-00', 'nothing like it']) {
        await page.locator('#search').fill(search);
        await page.getByText(/^(?:Found|Найдено): \d+ (?:of|из) 61$/).waitFor();
        expect(await placesNow()).toEqual(before);
      }
      await page.context().close();
    }
  });

  it('has controls of 44 pixels on a phone', async () => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width: 390, height: 844 } });
    await drop(fleet(10));
    await expect.poll(() => rows.count()).toBe(10);
    await page.locator('#search').fill('lic');
    await page.locator('.row-menu-button').first().click();
    const controls = page.locator('.filters :is(button, input, select), .license button, #row-menu button');
    const boxes = await controls.evaluateAll((elements) =>
      elements.filter((element) => element.checkVisibility()).map((element) => element.clientHeight),
    );
    // With the borders of a pixel above and below.
    expect(Math.min(...boxes)).toBeGreaterThanOrEqual(42);
  });

  it('opens a row by Enter while text elsewhere is selected', async () => {
    const { page, drop, rows } = await openHeldPage();
    await drop(fleet(10));
    await expect.poll(() => rows.count()).toBe(10);
    await page.locator('footer').evaluate((footer) => getSelection()?.selectAllChildren(footer));
    await rows.nth(2).locator('td.column-owner').focus();
    await page.keyboard.press('Enter');
    await page.locator('.details').waitFor();
  });

  it('is exported to Excel by the keyboard alone, also when an update has removed the files of the page', async () => {
    const { page, drop, rows, button } = await openHeldPage();
    await drop(fleet(10));
    await expect.poll(() => rows.count()).toBe(10);
    await page.waitForFunction(() =>
      performance.getEntries().some(({ name }) => name.includes('/export-list-')),
    );
    await page.route('**/assets/**', (route) => route.abort());
    await button('Excel').press('Enter');
    await expect.poll(() => focused(page)).toMatch(/10/);
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
    await expect.poll(() => focused(page)).toBe('Excel');
  });

  it('prints without PIN codes and owners when that is asked for', async () => {
    const { page, drop, button } = await openHeldPage();
    await drop(fleet(3));
    await expect.poll(() => page.locator('.license.done').count()).toBe(3);
    const secretsOnPaper = async () => {
      await page.emulateMedia({ media: 'print' });
      const cells = page.locator('td:is(.column-pin, .column-owner)');
      const seen = await cells.evaluateAll((all) => all.filter((cell) => cell.checkVisibility()).length);
      await page.emulateMedia({ media: 'screen' });
      return seen;
    };
    await page.evaluate(() => (window.print = () => undefined));
    await button('More actions').click();
    await button('Print without PIN codes and owners').click();
    expect(await secretsOnPaper()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await secretsOnPaper()).toBe(6);
  });

  it('prints as a table, filtered as it is shown, with nothing cut in both languages', async () => {
    const { page, drop, column, rows, button, changeLanguage } = await openHeldPage({ locale: 'ru-RU' });
    await drop(fleet(45));
    await button(/^Узнать пин-коды 5/).click();
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
