import { execFileSync } from 'node:child_process';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import {
  DAMAGED,
  downloaded,
  FITTING,
  FOREIGN,
  openLicensePage,
  sample,
  violations,
  type GivenFile,
} from '../support/license-page.js';

/** The rows of the sheet in a workbook: texts as they are, numbers as numbers. */
function readSheet(workbook: Buffer): { rows: (string | number | undefined)[][]; xml: string } {
  const parts = unzipSync(workbook);
  const part = (name: string) => Buffer.from(parts[name] ?? []).toString();
  const plain = (text: string) =>
    text.replace(
      /&(lt|gt|amp|quot|apos);/g,
      (entity) => ({ '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' })[entity] ?? "'",
    );
  const texts = [...part('xl/sharedStrings.xml').matchAll(/<si>.*?<t[^>]*>([^<]*)<\/t>.*?<\/si>/gs)].map(
    ([, text]) => plain(text ?? ''),
  );
  const xml = part('xl/worksheets/sheet1.xml');
  const rows = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) => {
    const cells: (string | number | undefined)[] = [];
    for (const [, column = '', attributes = '', value = ''] of row.matchAll(
      /<c r="([A-Z]+)\d+"([^>]*)><v>([^<]*)<\/v>/g,
    )) {
      const index = Array.from(column).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      cells[index] = attributes.includes('t="s"') ? texts[Number(value)] : Number(value);
    }
    return cells;
  });
  return { rows, xml };
}

/** Days of a date in Excel. */
const serial = (date: string) => (Date.parse(date) - Date.UTC(1899, 11, 30)) / 86_400_000;

describe('a license', { tags: 'chromium' }, () => {
  it.each([
    ['ru-RU', 'Скачать Excel', 'Прочитано: 2, не удалось прочитать: 1', 'Пин-код', 'Действует до'],
    ['en-US', 'Download Excel', 'Done: 2, failed: 1', 'PIN code', 'Valid until'],
  ])(
    'becomes a row of an Excel sheet, numbers as text and dates as dates (%s)',
    async (locale, excel, outcome, pin, until) => {
      const { page, complaints, choose, button } = await openLicensePage({}, { locale });
      await choose(sample(FOREIGN), DAMAGED, sample(FITTING));
      await page.getByText(outcome).first().waitFor();
      const { name, content } = await downloaded(page, button(excel));
      expect(name).toBe('licenses.xlsx');
      const { rows, xml } = readSheet(content);
      const [header = [], ...licenses] = rows;
      const column = (title: string) => licenses.map((row) => row[header.indexOf(title)]);
      expect(column(pin)).toEqual(['481-207-935-660-142', '7305-4418-2960-5172', undefined]);
      expect(column(until)).toEqual([serial('2026-12-31'), serial('2035-03-01'), undefined]);
      expect(licenses.flat()).toEqual(
        expect.arrayContaining(['8100654321', '20007716543', '0000000100005', 20]),
      );
      expect(xml).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/);
      expect(xml).toContain('<autoFilter ref="A1:');
      expect(complaints).toEqual([expect.stringContaining('status of 422')]);
    },
  );

  it('of 500 in Excel is one that the table shows, as it is filtered and sorted', async () => {
    const { page, complaints, choose, button } = await openLicensePage({ RATE_LIMIT_MAX: '0' });
    await choose(...(fleet(500) as GivenFile[]));
    await expect.poll(() => page.locator('tbody.license').count()).toBe(500);
    const all = readSheet((await downloaded(page, button('Download Excel'))).content).rows;
    expect(all).toHaveLength(501);
    expect(all[0]?.length).toBeGreaterThanOrEqual(30);
    await page.getByLabel('Search').fill('BUH-PC-003');
    await page.getByRole('columnheader').getByRole('button', { name: 'File' }).click();
    const shown = await page.locator('.name').allTextContents();
    const { rows } = readSheet((await downloaded(page, button('Download Excel'))).content);
    expect(shown.length).toBeGreaterThan(2);
    expect(rows.slice(1).map(([name]) => name)).toEqual(shown);
    expect(complaints).toEqual([]);
  });

  it('can be activated again: its owner to copy, and a command that bash reads as it was meant', async () => {
    const { page, choose, row } = await openLicensePage(
      {},
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
    await choose(sample(FOREIGN));
    const block = row(FOREIGN).locator('.activation');
    await block.getByRole('button', { name: 'Copy: Company' }).click();
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(clipboard).toBe('ООО "Ромашка"');
    await block.getByRole('button', { name: 'Copy all' }).click();
    await expect
      .poll(clipboard)
      .toMatch(/^First name: Мария\nMiddle name: Сергеевна\nLast name: Ветрова\nE-mail: /);
    await block.getByRole('button', { name: 'Copy: Command for Linux' }).click();
    await expect.poll(clipboard).toMatch(/^ring license activate /);
    const script = `ring() { printf '%s\\n' "$@"; }\n${await clipboard()}`;
    const read = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(read).toEqual([
      ...[
        'license',
        'activate',
        '--first-name',
        'Мария',
        '--middle-name',
        'Сергеевна',
        '--last-name',
        'Ветрова',
      ],
      ...[
        '--email',
        'm.vetrova@example.org',
        '--company',
        'ООО "Ромашка"',
        '--country',
        'Российская Федерация',
      ],
      ...['--zip-code', '300022', '--region', 'Тульская обл', '--town', 'Тула г', '--street', 'Садовая ул'],
      ...['--house', '99', '--apartment', '14', '--serial', '8100654321', '--pin', 'NEW-PIN'],
      ...['--previous-pin', '481207935660142', '--validate'],
    ]);
    expect(await block.locator('mark').allInnerTexts()).toEqual(['NEW-PIN']);
    // Its company has quotes.
    expect(await block.getByText('There is no ready command for Windows').isVisible()).toBe(true);
    await block.getByText('Command for Linux').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
