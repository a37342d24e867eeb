import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, expect, it } from 'vitest';
import { exportList } from '../../../../src/web/page/excel/columns.js';
import type { Change } from '../../../../src/web/page/model/comparison.js';
import type { License } from '../../../../src/web/page/model/license.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded, failure, license as item, viewOf } from '../model/licenses.js';

const PIN = '111222333444555';
const PREVIOUS_PIN = '999888777666555';
const view = viewOf(
  [
    item('srv/read.lic, copy.lic', {
      answer: decoded({
        pin: PIN,
        previousPin: PREVIOUS_PIN,
        owner: ['Имя: Иван', 'Компания: ООО "Лист"', 'Электронная почта: a@example.org'],
        clearText: ['Срок действия: 31.12.2026'],
      }),
    }),
    item('unread.lic', { clearText: ['Срок действия: 31.12.2020'] }),
    item('failed.lic', { answer: failure }),
  ],
  '2026-11-22',
);

/** The rows of the sheet by their headers; an empty cell is left out. */
async function rowsOf(isPublic: boolean, of = view): Promise<Record<string, unknown>[]> {
  const { content } = await exportList(of, isPublic);
  const parts = unzipSync(new Uint8Array(await content.arrayBuffer()));
  const part = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  const texts = [...part('xl/sharedStrings.xml').matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)];
  const [header, ...rows] = Array.from(
    part('xl/worksheets/sheet1.xml').matchAll(/<row [^>]*>(.*?)<\/row>/gs),
    ([, row = '']) =>
      new Map(
        Array.from(
          row.matchAll(/<c r="([A-Z]+)\d+"([^>]*)><v>([^<]*)</g),
          ([, column = '', kind, value]): [string, unknown] => [
            column,
            kind?.includes('t="s"') ? texts[Number(value)]?.[1] : Number(value),
          ],
        ),
      ),
  );
  return rows.map((row) =>
    Object.fromEntries(
      Array.from(row, ([column, value]): [string, unknown] => [String(header?.get(column)), value]),
    ),
  );
}

beforeEach(() => {
  language.value = 'en';
});

it('a sheet says of each license what is known', async () => {
  const [read, failed, unread] = await rowsOf(false);
  expect(read).toMatchObject({
    File: 'read.lic\ncopy.lic',
    Folder: 'srv\n',
    Files: 2,
    'PIN code': '111-222-333-444-555',
    'Previous PIN code': '999-888-777-666-555',
    'First name': 'Иван',
    // Days since 30 December 1899: a date, which can be sorted and filtered.
    'Valid until': 46_387,
  });
  expect(unread).toMatchObject({ 'Valid until': 44_196, Expired: 'yes', State: 'Not read' });
  expect(failed).toMatchObject({ State: 'Refused by ring', Error: 'It is damaged.' });
});

it('a sheet without PIN codes and owners has no trace of them', async () => {
  const [read] = await rowsOf(true);
  expect(read).toMatchObject({ Files: 2, 'Valid until': 46_387 });
  expect(JSON.stringify(read)).not.toMatch(/PIN|Иван|Лист|example|111-?222|999-?888/);
});

it('the names of the two sheets differ, and only the private one has what was searched for', async () => {
  view.search.value = 'Лист';
  const names = [await exportList(view, false), await exportList(view, true)].map(({ name }) => name);
  view.search.value = '';
  expect(names).toEqual([
    'Licenses 2026-11-22 Лист.xlsx',
    'Licenses 2026-11-22 without PIN codes and owners.xlsx',
  ]);
});

/** A list that is compared with that of another day. */
const compared = (changes: ReadonlyMap<License, Change>) =>
  viewOf([...changes.keys()], '2026-11-22', new Map(Array.from(changes, ([{ id }, change]) => [id, change])));

it('a changed PIN code stays untold in the sheet without PIN codes', async () => {
  const now = item('a.lic', { answer: decoded({ pin: PIN }) });
  const before = item('a.lic', { answer: decoded({ pin: PREVIOUS_PIN }) });
  const differences = ['users', 'pin'] as const;
  const changed = compared(new Map([[now, { name: 'changed', before, differences }]]));
  const pins = '999-888-777-666-555 → 111-222-333-444-555';
  expect((await rowsOf(false, changed))[0]).toMatchObject({ Change: `users:  → ; pin code: ${pins}` });
  expect((await rowsOf(true, changed))[0]).toMatchObject({ Change: 'users:  → ; pin code' });
});

it('a sheet of changes has what is gone', async () => {
  const [fresh, gone] = [item('fresh.lic'), item('gone.lic')];
  const changed = compared(
    new Map<License, Change>([
      [fresh, { name: 'new' }],
      [gone, { name: 'gone' }],
    ]),
  );
  changed.choose('changes');
  expect(await rowsOf(false, changed)).toMatchObject([
    { File: 'gone.lic', Change: 'gone' },
    { File: 'fresh.lic', Change: 'new' },
  ]);
});
