import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSheet } from '../../../../src/web/page/excel/read-sheet.js';
import type { Sheet } from '../../../../src/web/page/model/state.js';

/*
 * The sheets in `sheets/` were written by version 2.0.0, and by the last version whose workbooks had one tab only
 * (`one-tab`). Each has three licenses: one that was read, one that was not, and one that ring refused.
 */

async function sheetOf(name: string): Promise<Sheet> {
  const file = new File([readFileSync(join(import.meta.dirname, 'sheets', name))], name);
  const sheet = await readSheet(file);
  if (typeof sheet === 'string') throw new Error(sheet);
  return sheet;
}

/** What both versions wrote of the license that was read. */
const KNOWN = {
  validUntil: '2026-12-31',
  users: 20,
  kind: 'client',
  product: 'Клиентская лицензия на 20 рабочих мест',
  computer: 'ROMASHKA',
  boundTo: 'ROMASHKA, Intel64, Windows',
  previousPin: '999888777666555',
  producedAt: '2018-03-01T10:00:05',
  pinCount: 1,
  customer: {
    firstName: 'Иван',
    middleName: 'Иванович',
    lastName: 'Лист',
    company: 'ООО "Лист"',
    email: 'a@example.org',
    country: 'РФ',
    postalCode: '012345',
    region: 'Тульская обл',
    district: 'Узловский',
    city: 'Тула г',
    street: 'Свободы ул',
    house: '1',
    building: '2',
    apartment: '3',
  },
};

describe.each(['ru', 'en'])('a sheet in %s', (language) => {
  it('of 2.0.0 tells all but its PIN codes, which have no check', async () => {
    const { rows, ...sheet } = await sheetOf(`2.0.0.${language}.xlsx`);
    const [read, unread, failed] = rows;
    expect(sheet).toEqual({ day: '2026-11-22', isPart: false, unclear: 0 });
    expect(read).toMatchObject({
      places: [{ name: 'read.lic', folder: 'srv/1C' }],
      fingerprint: '0012345678901234',
      facts: { ...KNOWN, pin: null },
    });
    expect(failed).toMatchObject({ failure: { problem: { quoted: 'It is damaged.' }, canRetry: true } });
    expect(unread).toMatchObject({ facts: { unlimited: true, kind: 'server' } });
  });

  it('of one tab tells all, its PIN codes too', async () => {
    const { rows, ...sheet } = await sheetOf(`one-tab.${language}.xlsx`);
    const [read, unread, failed] = rows;
    expect(sheet).toEqual({ day: '2026-11-24', isPart: false, unclear: 0 });
    expect(read).toMatchObject({
      places: [
        { name: 'read.lic', folder: 'srv/1C' },
        { name: 'copy.lic', folder: '' },
      ],
      fingerprint: '0012345678901234',
      facts: { ...KNOWN, pin: '012-222-333-444-555' },
    });
    expect(failed).toMatchObject({ failure: { problem: { quoted: 'It is damaged.' }, canRetry: false } });
    expect(unread).toMatchObject({ facts: { unlimited: true, kind: 'server' } });
  });
});

it('a sheet of one tab without PIN codes and owners tells the rest', async () => {
  const { rows } = await sheetOf('one-tab-public.en.xlsx');
  const pinless = { ...KNOWN, pin: null, previousPin: null, customer: null };
  expect(rows[0]).toMatchObject({ fingerprint: '0012345678901234', facts: pinless });
});

it.each(['2.0.0-part.ru.xlsx', 'one-tab-part.en.xlsx'])('%s is a part', async (name) => {
  expect(await sheetOf(name)).toMatchObject({ isPart: true });
});
