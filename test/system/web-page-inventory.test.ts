import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import {
  DAMAGED,
  FITTING,
  FOREIGN,
  focused,
  openLicensePage,
  overflow,
  sample,
  violations,
  type GivenFile,
} from '../support/license-page.js';
import { tempDirectory } from '../support/temp.js';

interface FleetFile extends GivenFile {
  folder: string;
}
const FLEET = fleet(200) as FleetFile[];

/** Drops files on the page. */
async function drop(
  page: Awaited<ReturnType<typeof openLicensePage>>['page'],
  files: GivenFile[],
): Promise<void> {
  const given = files.map(({ name, text }) => ({ name, text: String(text) }));
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, text } of given) transfer.items.add(new File([text], name));
    return transfer;
  }, given);
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

describe('many licenses', { tags: 'chromium' }, () => {
  it.each([
    [
      'ru-RU',
      'Все',
      'Истекли',
      'Файлов: 200',
      'Ещё не прочитано: 197',
      'бессрочно',
      /Без токена последний файл будет прочитан через 3 дня/,
    ],
    [
      'en-US',
      'All',
      'Expired',
      'Files: 200',
      'Not read yet: 197',
      'unlimited',
      /Without a token the last file can be read in 3 days/,
    ],
  ] as const)(
    '200 dropped files are 200 rows before they are decoded, with what they say themselves (%s)',
    async (locale, all, expired, files, left, unlimited, wait) => {
      const { page, column, button } = await openLicensePage({ RATE_LIMIT_MAX: '3' }, { locale });
      await drop(page, FLEET);
      await expect.poll(() => page.locator('tbody.license').count()).toBe(200);
      await page.getByText(left).waitFor();
      expect(await page.locator('.pause').innerText()).toMatch(wait);
      expect(await page.title()).toMatch(/^3\/200 · /);
      expect(await page.locator('.summary').innerText()).toContain(files);

      const decodable = FLEET.filter(({ text }) => String(text).includes('Срок действия')).length;
      expect((await column('validUntil')).filter((text) => text !== '')).toHaveLength(decodable);
      expect((await column('validUntil')).filter((text) => text === unlimited).length).toBeGreaterThan(40);
      expect((await column('computer')).filter((text) => text.startsWith('BUH-PC')).length).toBeGreaterThan(
        100,
      );
      expect((await column('pin')).filter((text) => text !== '')).toHaveLength(3);
      expect(await button(`${all} 200`).getAttribute('aria-pressed')).toBe('true');
      await button(new RegExp(`^${expired} \\d`)).click();
      expect((await column('validUntil')).length).toBeGreaterThan(10);
      expect(await violations(page)).toEqual([]);
      for (const width of [360, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page)).toBe(0);
      }
    },
  );

  it('are found by any column, by the PIN code with and without hyphens, and filtered', async () => {
    const { page, column, button } = await openLicensePage();
    await drop(page, [...FLEET.slice(0, 12), DAMAGED]);
    await page.getByText('Done: 12, failed: 1').first().waitFor();
    const search = page.getByLabel('Search');
    const [, pin = ''] = await column('pin');
    for (const [text, count] of [
      [pin, 1],
      [pin.replaceAll('-', ''), 1],
      ['buh-pc-003', 1],
      ['складской двор', 3],
      ['сервер', 2],
      ['nothing like it', 0],
    ] as const) {
      await search.fill(text);
      await expect.poll(() => page.locator('tbody.license').count()).toBe(count);
    }
    await button('Show all').click();
    expect(await search.inputValue()).toBe('');
    await button('Failed 1').click();
    expect(await column('file')).toEqual(['damaged.lic']);
    expect(await violations(page)).toEqual([]);
  });

  it('are sorted by the keyboard, and the focus stays', async () => {
    const { page, column, button } = await openLicensePage({ RATE_LIMIT_MAX: '0' });
    const names = ['b10.lic', 'a.lic', 'b9.lic'];
    await drop(
      page,
      names.map((name) => ({ name, text: `${name}\n` })),
    );
    await expect.poll(() => column('file')).toHaveLength(3);
    const sort = page.getByRole('columnheader').getByRole('button', { name: 'File' });
    for (const [order, expected] of [
      ['ascending', ['a.lic', 'b9.lic', 'b10.lic']],
      ['descending', ['b10.lic', 'b9.lic', 'a.lic']],
    ] as const) {
      await sort.press('Enter');
      expect(await column('file')).toEqual(expected);
      expect(await page.locator('th.column-file').getAttribute('aria-sort')).toBe(order);
      expect(await focused(page)).toBe('File');
    }
    expect(await button('Cancel: a.lic').count()).toBe(1);
  });

  it('given twice are two rows and one request; the same PIN code in another file is a duplicate too', async () => {
    const { page, service, button, column } = await openLicensePage();
    const other = { name: 'other.lic', text: `${String(sample(FITTING).text)}Комментарий: копия\n` };
    await drop(page, [sample(FOREIGN), { ...sample(FOREIGN), name: 'copy.lic' }, sample(FITTING), other]);
    await page.getByText('Done: 4').first().waitFor();
    expect(
      service.log.filter(({ req }) => (req as { method?: string } | undefined)?.method === 'POST'),
    ).toHaveLength(3);
    expect(await page.locator('.mark', { hasText: 'duplicate' }).count()).toBe(4);
    await button('Duplicates 4').click();
    expect(await column('pin')).toEqual([
      '481-207-935-660-142',
      '7305-4418-2960-5172',
      '481-207-935-660-142',
      '7305-4418-2960-5172',
    ]);
    expect(await page.locator('.summary').innerText()).toContain('Client licenses: 2 for 25 users');
  });

  it('of a chosen folder come with their folders; what is not .lic is skipped and counted', async () => {
    const directory = await tempDirectory();
    for (const { name, folder, text } of FLEET) {
      const path = join(directory, 'licenses', folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    for (const name of ['readme.txt', 'conf.xml']) writeFileSync(join(directory, 'licenses', name), 'x');
    const { page } = await openLicensePage({ RATE_LIMIT_MAX: '0' });
    await page.locator('#folder').setInputFiles(join(directory, 'licenses'));
    await expect.poll(() => page.locator('tbody.license').count()).toBe(200);
    expect(await page.getByText('Skipped, because not .lic: 2').isVisible()).toBe(true);
    expect(new Set(await page.locator('.folder').allTextContents())).toEqual(
      new Set(FLEET.map(({ folder }) => `licenses/${folder}`)),
    );
    await page.getByLabel('Search').fill('филиал казань');
    await expect
      .poll(() => page.locator('tbody.license').count())
      .toBe(FLEET.filter(({ folder }) => folder === 'филиал Казань').length);
  });

  it('print as a table, filtered and sorted as it is shown, with nothing cut', async () => {
    const { page, button } = await openLicensePage({ RATE_LIMIT_MAX: '3' });
    await drop(page, FLEET.slice(0, 40));
    await expect.poll(() => page.locator('tbody.license').count()).toBe(40);
    await button(/^Expire in 90 days/).click();
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    await button(/^All/).click();
    // An A4 page in landscape without its margins of 10 mm, at 96 pixels per inch.
    await page.setViewportSize({ width: Math.floor(((297 - 20) / 25.4) * 96), height: 700 });
    await page.emulateMedia({ media: 'print' });
    expect(await overflow(page)).toBe(0);
    const cut = await page
      .locator('td, th')
      .evaluateAll((cells) =>
        cells
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    expect(cut).toEqual([]);
  });
});
