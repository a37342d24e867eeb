import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FILE_BYTES } from '../../../../src/license/clear-text.js';
import { compare } from '../../../../src/web/page/model/comparison.js';
import { Edits, type Given } from '../../../../src/web/page/model/edits.js';
import type { Inventory } from '../../../../src/web/page/model/inventory.js';
import { pathOf, type License } from '../../../../src/web/page/model/license.js';
import { ofSheet } from '../../../../src/web/page/model/facts.js';
import type { Sheet } from '../../../../src/web/page/model/sheet.js';
import { decoded, read } from './licenses.js';

let edits: Edits;
let all: Inventory;
beforeEach(() => {
  edits = new Edits(MAX_FILE_BYTES);
  all = edits.inventory;
});
const add = (files: Given['files'], sheet?: Sheet) => edits.add({ files, sheet });
const given = (name: string, content: string | Uint8Array<ArrayBuffer>, folder = '') => ({
  file: new File([content], name),
  folder,
});
const rows = () => all.licenses.value;
const states = () => rows().map(({ state }) => state.name);
/** The paths and the text of each row. */
const texts = () =>
  Promise.all(
    rows().map(async ({ places, file }) => `${places.value.map(pathOf).join(' + ')}: ${await file?.text()}`),
  );

it('reads the clear text of each file before anything is sent', async () => {
  await add([given('a.lic', 'Тип лицензии: клиент\nСрок действия: 31.12.2026\n', 'srv')]);
  expect(rows().map(({ known }) => known)).toMatchObject([{ type: 'клиент', validUntil: '2026-12-31' }]);
});

it('knows nothing of a text without a field that is known', async () => {
  await add([given('a.lic', 'Пароль: на стикере\n')]);
  expect(rows()[0]?.known.sources).toEqual([]);
});

it('a row is distinct bytes, wherever and whenever they are added', async () => {
  await Promise.all([
    add([given('a.lic', 'same'), given('b.lic', 'same'), given('c.lic', 'other')]),
    add([given('d.lic', 'same')]),
  ]);
  rows()[0]?.ask();
  await add([given('e.lic', 'same')]);
  expect(await texts()).toEqual(['a.lic + b.lic + d.lic + e.lic: same', 'c.lic: other']);
  expect(states()).toEqual(['waiting', 'unread']);
  expect([all.files.value, all.pending.value.size]).toEqual([5, 1]);
});

it('files of the same size and sum with other bytes are two rows', async () => {
  // Two texts with the same FNV-1a sum of 32 bits.
  await add([given('a.lic', 'costarring'), given('b.lic', 'liquid')]);
  await add([given('c.lic', 'declinate'), given('d.lic', 'macallums')]);
  expect(rows()).toHaveLength(4);
});

it('does not send what the service would refuse, which would count towards the limit', async () => {
  await add([
    given('empty.lic', ''),
    given('big.lic', new Uint8Array(MAX_FILE_BYTES + 1)),
    given('largest.lic', new Uint8Array(MAX_FILE_BYTES)),
  ]);
  expect(rows().map(({ state }) => state)).toMatchObject([
    { failure: { problem: { key: 'emptyFile' }, canRetry: false } },
    { failure: { problem: { key: 'tooLarge', values: { size: 5 } }, canRetry: false } },
    { name: 'unread' },
  ]);
});

it('says of a file that cannot be read that it is gone, and goes on', async () => {
  const gone = new File(['x'], 'gone.lic');
  gone.arrayBuffer = () => Promise.reject(new Error('NotReadableError'));
  await add([{ file: gone, folder: '' }, given('a.lic', 'x')]);
  expect(rows().map(({ state }) => state)).toMatchObject([
    { name: 'failed', failure: { canRetry: true } },
    { name: 'unread' },
  ]);
});

it('adds files although those before them threw', async () => {
  await expect(add([undefined as never])).rejects.toThrow();
  await add([given('a.lic', 'x')]);
  expect(states()).toEqual(['unread']);
});

describe('a path that the list has', () => {
  it.each<[string, string, string, string[], object | undefined]>([
    ['the same bytes change nothing', 's/a:1', 's/a:1', ['s/a: 1'], { updated: 0, unchanged: 1 }],
    ['other bytes take its place', 's/a:1', 's/a:2', ['s/a: 2'], { updated: 1, unchanged: 0 }],
    ['it moves to the row that has the bytes', 'a:1 b:2', 'a:2', ['a + b: 2'], { updated: 1 }],
    ['a row keeps its other places', 'a:1 b:1', 'a:2', ['a: 2', 'b: 1'], { updated: 1 }],
    ['held twice: beside', 'a:1 a:2', 'a:3', ['a: 1', 'a: 2', 'a: 3'], undefined],
    ['held twice, with bytes that are known', 'a:1 a:2', 'a:2', ['a: 1', 'a: 2'], { unchanged: 1 }],
    ['twice in one drop', 'a:1', 'a:1 a:2', ['a: 1', 'a: 2'], { updated: 0, unchanged: 1 }],
    ['another folder is another path', 's/a:1', 't/a:2', ['s/a: 1', 't/a: 2'], undefined],
  ])('%s', async (_fact, first, second, expected, event) => {
    const files = (drop: string) =>
      drop.split(' ').map((file) => {
        const [, folder, name = '', text = ''] = /^(?:(.*)\/)?(.*):(.*)$/.exec(file) ?? [];
        return given(name, text, folder);
      });
    await add(files(first));
    const before = await texts();
    await add(files(second));
    expect(await texts()).toEqual(expected);
    if (event) expect(edits.event.value).toMatchObject(event);
    else expect(edits.event.value).toBeUndefined();
    // There is no button for it when nothing was updated.
    if (edits.event.value?.updated) {
      edits.undo();
      expect(await texts()).toEqual(before);
    }
  });

  it('a row that takes the place of another keeps its id, so that its details stay open', async () => {
    await add([given('a.lic', '1')]);
    const id = rows()[0]?.id;
    await add([given('a.lic', '2'), given('b.lic', '3')]);
    expect(rows().map((row) => row.id === id)).toEqual([true, false]);
  });

  it('an empty or too large file that comes again is unchanged', async () => {
    const files = [given('empty.lic', ''), given('big.lic', new Uint8Array(MAX_FILE_BYTES + 1))];
    await add([...files, given('a.lic', '')]);
    await add([...files, given('a.lic', 'text')]);
    expect(edits.event.value).toMatchObject({ unchanged: 2, updated: 1 });
    expect(states()).toEqual(['unfit', 'unfit', 'unread']);
  });
});

it('what was removed comes back in its place, with what is known of it', async () => {
  await add([given('a.lic', '1'), given('b.lic', '2'), given('c.lic', '3')]);
  edits.remove(rows().slice(1, 2));
  expect(await texts()).toEqual(['a.lic: 1', 'c.lic: 3']);
  edits.undo();
  expect(await texts()).toEqual(['a.lic: 1', 'b.lic: 2', 'c.lic: 3']);
});

/** 250 files, of which the first two hundred arrive at once and the others when they are let. */
function manyFiles() {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const files = Array.from({ length: 250 }, (_, index) => given(`${index}.lic`, `${index}`));
  const held = files[220]?.file;
  if (held) held.arrayBuffer = () => gate.then(() => new Blob(['held']).arrayBuffer());
  return { files, letGo };
}

it('what was removed while files arrive comes back, and nothing else goes', async () => {
  const { files, letGo } = manyFiles();
  const arriving = add(files);
  await vi.waitFor(() => expect(states()).toHaveLength(200));
  edits.remove(rows().slice(0, 1));
  letGo();
  await arriving;
  expect(states()).toHaveLength(249);
  edits.undo();
  expect(states()).toHaveLength(250);
  expect(rows()[0]?.name).toBe('0.lic');
});

it('an addition is under way until the last of several has ended', async () => {
  const { files, letGo } = manyFiles();
  const [first, second] = [add([given('a.lic', 'a')]), add(files)];
  await first;
  expect(edits.isAdding.value).toBe(true);
  letGo();
  await second;
  expect(edits.isAdding.value).toBe(false);
});

it('a list that is cleared while files arrive stays empty, and comes back as a whole', async () => {
  const { files, letGo } = manyFiles();
  const arriving = Promise.all([add(files), add([given('later.lic', 'x')])]);
  await vi.waitFor(() => expect(states()).toHaveLength(200));
  edits.clear();
  letGo();
  await arriving;
  expect(states()).toEqual([]);
  edits.undo();
  expect(states()).toHaveLength(251);
});

it('nothing comes back once files were added', async () => {
  await add([given('a.lic', 'a')]);
  edits.clear();
  await add([given('b.lic', 'b')]);
  edits.undo();
  expect(await texts()).toEqual(['b.lic: b']);
});

describe('with the list of another day', () => {
  const pin = '332-588-056-123-456';
  /** The list of these files, where each has the PIN code. */
  const listOf = async (...files: ReturnType<typeof given>[]): Promise<Sheet> => {
    const known = new Edits(MAX_FILE_BYTES);
    await known.add({ files });
    const listed = known.inventory.licenses.value.map(({ name, fingerprint }) => ({
      name,
      folder: '',
      fingerprint,
      source: ofSheet({ pin }, '2026-10-01'),
      error: null,
    }));
    return { day: '2026-10-01', isPartial: false, unclear: 0, rows: listed, compare };
  };
  const named = () => rows().map(({ name, day }) => `${name} ${day ?? 'today'}`);
  const changes = () =>
    Array.from(all.comparison.value.changes, ([{ name }, change]) => `${name} ${change.name}`);

  it('has its rows where no file is, and of the same bytes says what a file does not', async () => {
    edits.take(await listOf(given('a.lic', 'a'), given('b.lic', 'b')));
    expect(named()).toEqual(['a.lic 2026-10-01', 'b.lic 2026-10-01']);
    expect(changes()).toEqual([]);
    await add([given('a.lic', 'a'), given('c.lic', 'c')]);
    expect(named()).toEqual(['b.lic 2026-10-01', 'a.lic today', 'c.lic today']);
    expect(changes().sort()).toEqual(['b.lic gone', 'c.lic new']);
    expect(rows().map(({ known }) => known.pin)).toEqual([pin, pin, null]);
    edits.take(await listOf(given('a.lic', 'other')));
    expect(named()).toEqual(['a.lic today', 'c.lic today']);
    expect(changes()).toEqual(['c.lic new']);
    expect(rows().map(({ known }) => known.pin)).toEqual([null, null]);
  });

  it('does not call gone what the user removed, and goes with the last of it', async () => {
    await add([given('a.lic', 'a'), given('b.lic', 'b')]);
    edits.take(await listOf(given('a.lic', 'a'), given('b.lic', 'b')));
    edits.remove(rows().slice(0, 1));
    expect(named()).toEqual(['b.lic today']);
    edits.undo();
    expect([named(), changes()]).toEqual([['a.lic today', 'b.lic today'], []]);
    edits.clear();
    await add([given('c.lic', 'c')]);
    expect(all.sheet.value).toBeUndefined();
    expect(changes()).toEqual([]);
  });

  it('compares what has arrived when all has, and nothing with a sheet that was removed', async () => {
    edits.take(await listOf(given('0.lic', '0'), given('249.lic', '249'), given('x.lic', 'x')));
    const { files, letGo } = manyFiles();
    const arriving = add(files);
    await vi.waitFor(() => expect(states()).toHaveLength(202));
    expect(changes()).toEqual([]);
    letGo();
    await arriving;
    expect(changes()).toContain('x.lic gone');
    expect(changes()).toHaveLength(249);
    const more = add([given('more.lic', 'more')]);
    edits.take(undefined);
    expect(changes()).toEqual([]);
    await more;
    expect(changes()).toEqual([]);
  });

  it('compares again when a reading has ended, not with each answer', async () => {
    edits.take(await listOf(given('a.lic', 'a')));
    const files = [given('b.lic', 'b'), given('c.lic', 'c')];
    await add(files);
    const [first, second] = rows().filter(({ isGiven }) => isGiven) as [License, License];
    for (const row of [first, second]) row.ask();
    expect(changes()).toHaveLength(3);
    read(first, decoded({ pin: pin.replaceAll('-', '') }));
    expect(changes().sort()).toEqual(['a.lic gone', 'b.lic new', 'c.lic new']);
    read(second, decoded({ pin: '111222333444555' }));
    expect(changes()).toEqual(['c.lic new']);
  });

  it('the lines of a cell are places', async () => {
    const sheet = await listOf(given('a.lic', 'a'));
    const rowsWithLines = sheet.rows.map((row) => ({ ...row, name: 'b.lic\nc.lic', folder: '\nsrv' }));
    edits.take({ ...sheet, rows: rowsWithLines });
    expect(rows().map(({ places }) => places.value.map(pathOf))).toEqual([['b.lic', 'srv/c.lic']]);
  });
});
