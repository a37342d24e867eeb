import { describe, expect, it } from 'vitest';
import { cutCells, licenseFile, openHeldPage, overflow, violations } from '../support/license-page.js';
import { LIMIT } from '../support/page-service.js';

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
/** What nobody has. */
const LONGEST = {
  ...licenseFile(9, { company: `<b>${'x'.repeat(300)}`, product: 'y'.repeat(300) }),
  name: `=cmd\u202E${'z'.repeat(200)}.lic`,
};
/** With a line as an encrypted part has them: what has none is not read by itself. */
const DAMAGED = [1, 2, 3, 4].map((index) => ({
  name: `damaged ${index}.lic`,
  text: `${'QUJD'.repeat(16)}\n${index}`,
}));
const [OTHER = LONGEST] = DAMAGED;
/** Most lists have one owner, so its name gives way to what tells licenses apart. */
const COLUMNS = ['product', 'computer', 'pin'];

describe.each(['ru-RU', 'en-US'])('the page in %s', { tags: 'chromium' }, (locale) => {
  it.each([
    ['without licenses', [], [360, 800, 1280, 1366, 1920]],
    ['with a single damaged file', [OTHER], [360, 800, 1280, 1366]],
    ['with the longest license and its details', [LONGEST, OTHER], [360, 800, 1280, 1600]],
    ['with 9', [...WIDE, ...DAMAGED], [360, 800, 1280, 1366]],
    ['with 9, and the details of one', [...WIDE, ...DAMAGED], [360, 800, 950, 1366]],
  ])('%s fits at any width, and is accessible in either color scheme', async (rows, files, widths) => {
    const { page, drop, column } = await openHeldPage({ locale });
    const read = page.locator('.license:is(.done, .failed, .refused)');
    // In two parts, so that the limit suffices for each.
    for (const part of [files.slice(0, LIMIT), files.slice(LIMIT)]) {
      const before = await read.count();
      await drop(part);
      await expect.poll(() => read.count()).toBe(before + part.length);
    }
    if (rows.includes('details')) {
      await column('product').first().click();
      await page.locator('.details').waitFor();
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await overflow(page), `at ${width} px`).toBe(0);
      const isWhole = width >= 1366 && !files.includes(LONGEST);
      expect(await cutCells(page, isWhole ? COLUMNS : []), `at ${width} px`).toEqual([]);
    }
    // The words matter for the widths alone.
    if (locale === 'en-US') return;
    const [narrowest = 0] = widths;
    expect(await violations(page), 'light').toEqual([]);
    await page.setViewportSize({ width: narrowest, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page), 'dark').toEqual([]);
  });
});
