import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import {
  cutCells,
  downloaded,
  focused,
  licenseFile,
  LIMIT,
  openLicensePage,
  overflow,
  violations,
  type GivenFile,
} from '../support/license-page.js';
import { tempDirectory } from '../support/temp.js';

const FLEET = fleet(200) as (GivenFile & { folder: string })[];
const UNLIMITED = ['Тип лицензии: клиент', 'Срок действия: не ограничен', 'Количество пользователей: 10'];

/** What administrators have, in its longest forms. */
const WIDE = [
  ['ООО "Ромашка"', 'SRV-1C-01', '1С:Предприятие 8. Клиентская лицензия на 10 рабочих мест'],
  [
    'ООО "Агрохолдинг «Золотая нива»"',
    'SRV-1C-CLUSTER-NODE-03',
    '1С:Предприятие 8 ПРОФ. Клиентская лицензия на 50 рабочих мест',
  ],
  ['ООО "Торговый дом Северный"', 'BUH-PC-017', '1С:Предприятие 8.3. Лицензия на сервер (x86-64)'],
  [
    'ФГБУ "Национальный центр"',
    'DC1-TERMINAL-02',
    '1С:Предприятие 8.3 ПРОФ. Лицензия на сервер МИНИ на 5 подключений',
  ],
  ['ИП Константинопольский А. В.', 'SRV-1C-01', '1С:Предприятие 8. Клиентская лицензия на 10 рабочих мест'],
].map(([company = '', computer = '', product = ''], index) =>
  licenseFile(index, { company, computer, product }),
);

describe('a list of licenses', { tags: 'chromium' }, () => {
  it('that is longer than the limit is shown at once, and read as the user chooses', async () => {
    const { page, drop, rows, decodes, column, button, changeLanguage } = await openLicensePage({
      locale: 'ru-RU',
      viewport: { width: 1366, height: 768 },
    });
    const top = async () => (await page.locator('.licenses').boundingBox())?.y;
    await drop(FLEET);
    await expect.poll(rows).toBe(200);
    await page.getByText('Пин-коды и владельцев читает сервис: сейчас до 5 файлов.').waitFor();
    expect(await top()).toBeLessThan(320);
    await changeLanguage();
    await page.getByText('The service reads PIN codes and owners: now up to 5 files.').waitFor();
    expect(await top()).toBeLessThan(320);
    await button('Term unknown 8').click();
    await expect.poll(rows).toBe(8);
    expect(await violations(page)).toEqual([]);
    expect(decodes()).toBe(0);
    await button('Read 5').click();
    await page.getByText('Done: 5', { exact: true }).first().waitFor();
    expect(decodes()).toBe(5);
    // The answers do not tell their term either.
    expect(await rows()).toBe(8);
    await button(/^All 200/).click();
    await expect.poll(async () => (await column('pin')).filter(Boolean)).toHaveLength(5);
    expect(await button(/^Read/).count()).toBe(0);
  });

  it('cuts nothing from 1280 px on, and runs over at no width, in both languages', async () => {
    const { page, drop, column, changeLanguage } = await openLicensePage({ locale: 'ru-RU' });
    const expectFits = async (...widths: number[]) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page)).toBe(0);
        const columns = width < 1280 ? [] : ['owner', 'product', 'computer', 'pin'];
        expect(await cutCells(page, columns), `at ${width} px`).toEqual([]);
      }
    };
    await drop(WIDE);
    await expect.poll(async () => (await column('pin')).filter(Boolean)).toHaveLength(5);
    await expectFits(360, 800, 1280, 1366);
    await changeLanguage();
    await expectFits(1366, 1280, 800, 360);
    await page.setViewportSize({ width: 1500, height: 900 });
    await page.locator('td.column-owner').first().click();
    await page.locator('.panel').waitFor();
    await expectFits(1500, 1920);
    await changeLanguage();
    await expectFits(1920, 1500);
    await page.setViewportSize({ width: 600, height: 900 });
    expect(await violations(page)).toEqual([]);
  });

  it('is used by the keyboard alone, as one tab stop', async () => {
    const { page, drop, row, rows } = await openLicensePage();
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
    await expect.poll(rows).toBe(2);
    expect(await focused(page)).not.toBe('body');
    await press('Control+Home');
    expect(await press('Tab')).toBe('API reference');
    await expect.poll(() => row('.lic').count()).toBe(2);
  });

  it('is searched and filtered; its sums follow and lead to what they count', async () => {
    const { page, drop, rows, column, button } = await openLicensePage();
    await drop(FLEET.slice(0, 40));
    await expect.poll(rows).toBe(40);
    await page.getByRole('searchbox').fill('buh-pc-003');
    await expect.poll(rows).toBe(1);
    expect(await page.getByRole('status').allInnerTexts()).toContain('Found: 1 of 40');
    await button('All 1').waitFor();
    await button('Server 0').waitFor();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('Owners are read in 0 of 40').waitFor();
    expect(await button(/^Read \d/).count()).toBe(0);
    await button('I have a token').click();
    await page.getByLabel('Access token').waitFor();
    await button('Show all').click();
    await button(/^Server/).click();
    await expect
      .poll(async () => [...new Set(await column('product'))])
      .toEqual(['Лицензия на сервер (x86-64)']);
    await button(/^Soon, 90 days \d/).click();
    await page.getByLabel('Period').selectOption('Soon: 30 days');
    await button(/^Expired/).click();
    await expect
      .poll(async () => [...new Set(await column('validUntil'))].join())
      .toMatch(/^(?:.* expired,?)+$/);
    expect(await violations(page)).toEqual([]);
  });

  it('loses rows and gets them back; what comes again at the same path adds none', async () => {
    const { page, drop, rows, column, decodes, button } = await openLicensePage();
    const file = (name: string, text: string) => ({ name, folder: 'srv', text });
    await drop([file('a.lic', 'a\n'), file('b.lic', 'b\n'), file('c.lic', 'c\n')]);
    await page.getByText('failed: 3').first().waitFor();
    await page.getByRole('searchbox').fill('srv/a');
    await button('Remove these 1').click();
    await button('Show all').click();
    const files = () => column('file');
    await expect.poll(files).toEqual(['srv/b.lic', 'srv/c.lic']);
    await button('Undo').click();
    await expect.poll(files).toEqual(['srv/a.lic', 'srv/b.lic', 'srv/c.lic']);
    await button('Clear list').click();
    await expect.poll(rows).toBe(0);
    await button('Undo').click();
    expect(decodes()).toBe(3);

    await drop([file('a.lic', 'other\n'), file('b.lic', 'b\n'), file('c.lic', 'c\n')]);
    await page.getByText('Updated: 1. Unchanged: 2.').waitFor();
    expect(await rows()).toBe(3);
    await expect.poll(decodes).toBe(4);
    await page.getByText('Updated: 1').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Updated: 1').waitFor({ state: 'detached' });
    expect(await rows()).toBe(3);
    expect(decodes()).toBe(4);
  });

  it('becomes an Excel sheet whose sums are those of the page', async () => {
    const { page, complaints, drop, button } = await openLicensePage({ locale: 'ru-RU' });
    const first = licenseFile(1, { clearText: UNLIMITED });
    await drop([
      first,
      { ...first, name: 'copy.lic' },
      licenseFile(2, { clearText: ['Срок действия: 31.12.2020', 'Количество пользователей: 500'] }),
      licenseFile(3, { clearText: UNLIMITED, previousPin: first.pin }),
      licenseFile(4, { clearText: UNLIMITED }),
    ]);
    await expect.poll(() => page.locator('.license.done').count()).toBe(4);
    // After an update of the service its old files are gone.
    await page.waitForFunction(() => performance.getEntries().some(({ name }) => name.includes('/columns-')));
    await page.route('**/assets/**', (route) => route.abort());
    const { name, content } = await downloaded(page, button('Выгрузить 4 в Excel'));
    expect(name).toMatch(/^Лицензии \d{4}-\d\d-\d\d\.xlsx$/);
    const [header = [], ...rows] = readSheet(content);
    expect([header[1], header[5]]).toEqual(['Владелец', 'Пин-код']);
    expect(rows.map((row) => String(row[5]).replaceAll('-', ''))).toContain(first.pin);
    // Neither expired nor replaced.
    const valid = rows.filter((row) => row.slice(8, 10).every((mark) => mark === undefined));
    const users = valid.reduce((sum, row) => sum + Number(row[3]), 0);
    expect(await page.locator('.tile.clients').innerText()).toContain(` · ${users} `);

    await button(/^Истекли 1/).click();
    await page.locator('.actions input').check();
    const other = await downloaded(page, button('1 в Excel'));
    expect(other.name).toMatch(/^Лицензии .* Истекли\.xlsx$/);
    const [publicHeader = [], ...publicRows] = readSheet(other.content);
    expect(publicHeader).not.toContain('Пин-код');
    expect(publicHeader).not.toContain('Владелец');
    expect(publicRows).toHaveLength(1);
    expect(JSON.stringify(publicRows)).not.toMatch(/Ветрова|example\.org|332-/);
    expect(complaints).toEqual([]);
  });

  it('comes from a chosen folder with its folders; what is not .lic is skipped and counted', async () => {
    const directory = join(await tempDirectory(), 'licenses');
    mkdirSync(join(directory, 'srv/1C'), { recursive: true });
    for (const name of ['a.lic', 'srv/1C/b.LIC', 'readme.txt']) writeFileSync(join(directory, name), name);
    const { page, column } = await openLicensePage();
    await page.locator('#folder').setInputFiles(directory);
    await expect.poll(() => column('file')).toEqual(['licenses/a.lic', 'licenses/srv/1C/b.LIC']);
    await page.getByText('Skipped, because not .lic: 1').waitFor();
  });

  it('prints as a table, filtered as it is shown, with nothing cut in both languages', async () => {
    const { page, drop, column, button, changeLanguage } = await openLicensePage({ locale: 'ru-RU' });
    await drop([...WIDE, ...FLEET.slice(20, 60)]);
    await button(/^Прочитать 5/).click();
    await expect.poll(async () => (await column('pin')).filter(Boolean)).toHaveLength(LIMIT);
    await page.getByRole('searchbox').fill('сервер');
    await expect.poll(async () => (await column('file')).length).toBeLessThan(20);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    await page.getByRole('searchbox').fill('');
    await expect.poll(async () => (await column('file')).length).toBe(45);
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

/** The rows of the sheet in a workbook: texts as they are, numbers as numbers. */
function readSheet(workbook: Buffer): (string | number | undefined)[][] {
  const parts = unzipSync(workbook);
  const part = (name: string) => Buffer.from(parts[name] ?? []).toString();
  const texts = [...part('xl/sharedStrings.xml').matchAll(/<si>.*?<t[^>]*>([^<]*)<\/t>.*?<\/si>/gs)];
  return [...part('xl/worksheets/sheet1.xml').matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) => {
    const cells: (string | number | undefined)[] = [];
    for (const [, column = '', attributes = '', value = ''] of row.matchAll(
      /<c r="([A-Z]+)\d+"([^>]*)><v>([^<]*)<\/v>/g,
    )) {
      const index = Array.from(column).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      cells[index] = attributes.includes('t="s"') ? texts[Number(value)]?.[1] : Number(value);
    }
    return Array.from(cells);
  });
}
