import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { textsIn } from '../../src/web/page/texts/texts.js';
import { downloaded, focused, LIMIT, openHeldPage, type GivenFile } from '../support/license-page.js';

const FILES = 20;
const FLEET = fleet(FILES) as GivenFile[];
const [FIRST, RENEWED, MOVED, GONE] = FLEET as [GivenFile, GivenFile, GivenFile, GivenFile];
const NEW = {
  ...FIRST,
  name: 'new.lic',
  text: `${String(FIRST.text)}Номер: 1\n`.replace(/Регистрационный.*/, ''),
};

describe('an exported sheet', { tags: ['chromium'] }, () => {
  it('is the list of its day without a decode, and shows what has changed in files since', async () => {
    const { page, complaints, drop, rows, button, column } = await openHeldPage({
      locale: 'ru-RU',
    });
    await drop(FLEET);
    await button(/^Прочитать 5/).click();
    await expect.poll(() => column('pin').filter({ hasText: /\d/ }).count()).toBe(LIMIT);
    const sums = () => page.locator('.chip strong').allInnerTexts();
    const before = await sums();
    const pinTexts = async () => {
      const cells = await column('pin').allTextContents();
      return cells.filter((text) => /\d/.test(text)).sort();
    };
    const pins = await pinTexts();
    // After an update of the service its old files are gone.
    await page.waitForFunction(() =>
      performance.getEntries().some(({ name }) => name.includes('/export-list-')),
    );
    await page.route('**/assets/**', (route) => route.abort());
    await button('Excel').click();
    const sheet = await downloaded(page, button(/^Выгрузить \d+ в Excel/));
    await expect.poll(() => focused(page)).toBe('Excel');
    expect(sheet.name).toMatch(/^Лицензии \d{4}-\d\d-\d\d\.xlsx$/);
    await page.unroute('**/assets/**');
    const give = () =>
      page.locator('#files').setInputFiles({ name: sheet.name, mimeType: '', buffer: sheet.content });

    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await give();
    await expect.poll(() => rows.count()).toBe(FILES);
    expect(await sums()).toEqual(before);
    expect(await pinTexts()).toEqual(pins);
    await page.getByText('В выгрузке пин-коды и владельцы: не передавайте её', { exact: true }).waitFor();

    const today = FLEET.filter((file) => file !== GONE).map((file) => {
      if (file === MOVED) return { ...file, folder: `${file.folder}/moved` };
      return file === RENEWED
        ? { ...file, text: String(file.text).replace(/Срок действия: .*/, 'Срок действия: 01.02.2039') }
        : file;
    });
    await drop([...today, NEW]);
    await button(/^Изменения/).waitFor();
    // With all that is said above it, on a screen of 1280 by 720 pixels.
    expect((await page.locator('.licenses').boundingBox())?.y).toBeLessThan(400);
    await button(/^Изменения/).click();
    // A path is not a fact about a license.
    await expect.poll(() => rows.count()).toBe(3);
    const cells = [
      ...(await column('state').allTextContents()),
      ...(await column('product').allTextContents()),
    ];
    const said = cells.join('\n');
    for (const change of [/новая/, /больше нет/, /действует до: .* → 01\.02\.2039/])
      expect(said).toMatch(change);
    // What is gone counts nowhere.
    expect(await page.locator('.chip', { hasText: 'Все' }).innerText()).toMatch(/Все\s+20\b/);
    expect(complaints).toEqual([]);
  });

  it('is not blamed when the page cannot load what reads it', async () => {
    const { page } = await openHeldPage();
    await page.route('**/assets/read-sheet-*', (route) => route.abort());
    await page.locator('#files').setInputFiles({ name: 'x.xlsx', mimeType: '', buffer: Buffer.from('x') });
    await page.getByText(textsIn('en')('noSheetReader')).waitFor();
    expect(await page.getByText(textsIn('en')('sheetBroken')).count()).toBe(0);
  });
});
