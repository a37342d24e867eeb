import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { computed, signal } from '@preact/signals';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FILE_BYTES } from '../../../../src/license/clear-text.js';
import { Edits, type Given } from '../../../../src/web/page/model/edits.js';
import type { Inventory } from '../../../../src/web/page/model/inventory.js';
import type { License } from '../../../../src/web/page/model/license.js';
import { pathOf } from '../../../../src/web/page/model/place.js';
import { NOTHING } from '../../../../src/web/page/model/facts.js';
import type { Sheet, SheetRow } from '../../../../src/web/page/model/sheet.js';
import { List } from '../../../../src/web/page/model/list.js';
import { rowTexts } from '../../../../src/web/page/ui/row-texts.js';
import { decoded, read as readAs } from './licenses.js';

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
/** A sheet with these names, of which nothing more is known. */
const sheetOf = (...names: string[]): Sheet => ({
  day: '2026-10-01',
  isPart: false,
  unclear: 0,
  rows: names.map((name) => ({
    places: [{ name, folder: '' }],
    fingerprint: null,
    facts: NOTHING,
    wasReplaced: false,
    failure: null,
  })),
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
  rows()[0]?.wait();
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
    await add([given('big.lic', new Uint8Array(MAX_FILE_BYTES + 2))]);
    expect(edits.event.value).toMatchObject({ unchanged: 0, updated: 1 });
  });
});

it('what was removed comes back in its place, with what is known of it', async () => {
  await add([given('a.lic', '1'), given('b.lic', '2'), given('c.lic', '3')]);
  edits.remove(rows().slice(1, 2));
  expect(await texts()).toEqual(['a.lic: 1', 'c.lic: 3']);
  edits.undo();
  expect(await texts()).toEqual(['a.lic: 1', 'b.lic: 2', 'c.lic: 3']);
});

/** Files named by numbers, of which those beyond the first two hundred arrive when they are let. */
function manyFiles(count = 250) {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const opened = new Set<string>();
  const files = Array.from({ length: count }, (_, index) => given(`${index}.lic`, `${index}`));
  for (const [index, { file }] of files.entries()) {
    const open = file.arrayBuffer.bind(file);
    file.arrayBuffer = async () => {
      opened.add(file.name);
      if (index > 201) await gate;
      return open();
    };
  }
  return { files, opened, letGo };
}
const arrived = (count: number) => vi.waitFor(() => expect(states()).toHaveLength(count));
const told = () => {
  const { removed, updated, unchanged } = edits.event.value ?? {};
  return [removed, updated, unchanged];
};
const names = () => rows().map(({ name }) => name);

describe('while files arrive', () => {
  it('what was removed comes back, and nothing else goes', async () => {
    const { files, letGo } = manyFiles();
    const arriving = add(files);
    await arrived(200);
    edits.remove(rows().slice(0, 1));
    letGo();
    await arriving;
    expect(states()).toHaveLength(249);
    edits.undo();
    expect(states()).toHaveLength(250);
    expect(rows()[0]?.name).toBe('0.lic');
  });

  it.each(['as soon as the list is cleared', 'later'])(
    'what Undo brings back %s is the whole',
    async (when) => {
      const { files, letGo } = manyFiles();
      const arriving = Promise.all([add(files), add([given('later.lic', 'x')])]);
      await arrived(200);
      edits.clear();
      if (when !== 'later') edits.undo();
      letGo();
      expect(await arriving).toEqual([[], []]);
      if (when === 'later') {
        expect(states()).toEqual([]);
        expect(told()).toEqual([251, 0, 0]);
        edits.undo();
      }
      expect(names()).toEqual([...files.map(({ file }) => file.name), 'later.lic']);
    },
  );

  it('they are read no further once something else was cleared', async () => {
    const { files, opened, letGo } = manyFiles(450);
    const arriving = add(files);
    await arrived(200);
    edits.clear();
    edits.take(sheetOf('x.lic'));
    edits.clear();
    letGo();
    await arriving;
    edits.undo();
    expect([opened.size, names()]).toEqual([400, ['x.lic']]);
  });

  it('what is updated after the list was cleared is what Undo brings back', async () => {
    await add([given('249.lic', 'old'), given('x.lic', 'x')]);
    const { files, letGo } = manyFiles();
    const arriving = add(files);
    await arrived(202);
    edits.clear();
    letGo();
    await arriving;
    expect(told()).toEqual([251, 0, 0]);
    edits.undo();
    expect(await texts()).toEqual(expect.arrayContaining(['249.lic: 249', 'x.lic: x']));
    expect(states()).toHaveLength(251);
  });

  it('of a removed sheet nothing comes back once there is another', async () => {
    edits.take(sheetOf('a.lic'));
    edits.clear();
    edits.take(sheetOf('b.lic'));
    expect(edits.event.value).toBeUndefined();
    await add([given('c.lic', 'c')]);
    edits.take(sheetOf('d.lic', 'c.lic'));
    edits.clear();
    edits.take(sheetOf('e.lic'));
    edits.undo();
    expect(names()).toEqual(['c.lic', 'e.lic']);
  });

  it('a sheet and folders that are still searched when the list is cleared come back too', async () => {
    await add([given('a.lic', 'a')]);
    let found: (given: Given) => void = () => undefined;
    const arriving = edits.add(new Promise<Given>((resolve) => (found = resolve)));
    edits.clear();
    found({ files: [given('b.lic', 'b')], sheet: sheetOf('c.lic') });
    await arriving;
    expect([names(), edits.inventory.sheet.value]).toEqual([[], undefined]);
    edits.undo();
    expect(names()).toEqual(['a.lic', 'c.lic', 'b.lic']);
    expect(all.sheet.value?.day).toBe('2026-10-01');
  });

  it.each<[string, () => unknown]>([
    ['what was cleared is hidden', () => edits.hide()],
    ['others come', () => add([given('other.lic', 'other')])],
  ])('they are read no further once %s', async (_when, act) => {
    const { files, opened, letGo } = manyFiles(450);
    const arriving = add(files);
    await arrived(200);
    edits.clear();
    const acted = act();
    edits.hide();
    letGo();
    await Promise.all([arriving, acted]);
    expect(opened.size).toBe(400);
    edits.undo();
    expect(names().filter((name) => name !== 'other.lic')).toEqual([]);
  });

  it('the list is adding until the last folder is searched and the last file read', async () => {
    let found: (given: Given) => void = () => undefined;
    const searched = edits.add(new Promise<Given>((resolve) => (found = resolve)));
    await add([given('a.lic', 'a')]);
    // A drop waits for its own folders only.
    expect([names(), edits.isAdding.value]).toEqual([['a.lic'], true]);
    const { files, letGo } = manyFiles();
    found({ files });
    await arrived(201);
    expect(edits.isAdding.value).toBe(true);
    letGo();
    await searched;
    expect(edits.isAdding.value).toBe(false);
  });

  it('what was removed and arrives again is one row, with what was known of it', async () => {
    const { files, letGo } = manyFiles();
    files[249] = given('renamed.lic', '1');
    await add([given('201.lic', '201'), given('202.lic', 'old'), given('0.lic', '0'), given('1.lic', '1')]);
    const removed = rows();
    for (const license of removed) readAs(license, decoded({}));
    const arriving = add(files);
    await arrived(202);
    edits.remove(removed);
    letGo();
    await arriving;
    const paths = async () => (await texts()).filter((text) => /20[12]|renamed/.test(text));
    expect(await paths()).toEqual(['201.lic: 201', '202.lic: 202', 'renamed.lic: 1']);
    expect(states().filter((name) => name === 'done')).toHaveLength(2);
    expect(told()).toEqual([2, 1, 0]);
    expect(edits.event.value?.out.map(({ name }) => name).sort()).toEqual(['0.lic', '1.lic', '202.lic']);
    edits.undo();
    expect(await paths()).toEqual(['201.lic: 201', '202.lic: old', '1.lic + renamed.lic: 1']);
    expect(names()).toContain('0.lic');
  });
});

it('only what is new is returned, as an update is and a return is not', async () => {
  await add([given('a.lic', 'a'), given('b.lic', 'b')]);
  const fresh = await add([
    given('a.lic', 'a'),
    given('b.lic', 'new b'),
    given('c.lic', 'c'),
    given('d.lic', 'a'),
  ]);
  expect(fresh.map(({ name }) => name)).toEqual(['b.lic', 'c.lic']);
});

it('a row keeps its place through an update and Undo, which takes nothing else along', async () => {
  await add([given('a.lic', 'a'), given('b.lic', 'b'), given('c.lic', 'c')]);
  await add([given('b.lic', 'new'), given('0.lic', '0')]);
  expect(told()).toEqual([0, 1, 0]);
  await edits.add({ files: [], sheet: sheetOf('x.lic') });
  expect(names()).toEqual(['a.lic', 'b.lic', 'c.lic', '0.lic', 'x.lic']);
  edits.undo();
  expect(await texts()).toEqual(['a.lic: a', 'b.lic: b', 'c.lic: c', '0.lic: 0', 'x.lic: undefined']);
});

it('a file that is renamed while another takes its name stays a row of its own', async () => {
  await add([given('a.lic', '1')]);
  const [{ id } = { id: 0 }] = rows();
  await add([given('a.lic', '2'), given('b.lic', '1')]);
  expect(await texts()).toEqual(['a.lic: 2', 'b.lic: 1']);
  expect(rows().map((row) => row.id === id)).toEqual([true, false]);
  edits.undo();
  expect(await texts()).toEqual(['a.lic + b.lic: 1']);
});

it('places are set for what the difference has only', async () => {
  await add([given('a.lic', 'a'), given('b.lic', 'b')]);
  const set: (string | undefined)[] = [];
  for (const { places } of rows()) places.subscribe(([place]) => set.push(place?.name));
  set.length = 0;
  await add([given('c.lic', 'c'), given('copy.lic', 'b')]);
  edits.remove(rows().slice(0, 1));
  edits.undo();
  expect(set).toEqual(['b.lic', undefined, 'a.lic']);
});

it('nothing that has left the list and the last event is kept', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const list = new List(
    all.licenses,
    signal('2026-11-22'),
    rowTexts,
    signal(0),
    computed(() => all.comparison.value.changes),
  );
  const giveBoth = () => {
    const { rows: listed, ...sheet } = sheetOf('b.lic', 'c.lic');
    const known = listed.map((row) => ({ ...row, facts: { ...NOTHING, product: 'P' } }));
    return add([given('a.lic', 'a'), given('b.lic', 'b')], { ...sheet, rows: known });
  };
  const isHeld = async (act: () => void) => {
    const kept = new Set<WeakRef<object>>();
    await giveBoth();
    list.choose('changes');
    expect(list.shown.value).toHaveLength(2);
    all.all.value
      .flatMap((row) => [row, ...row.known.sources, ...row.places.value.flatMap(({ file }) => file ?? [])])
      .forEach((part) => kept.add(new WeakRef(part)));
    expect(kept.size).toBe(8);
    act();
    // An object that was seen in this turn lives on until the next one.
    await new Promise((done) => setTimeout(done));
    collect();
    return [...kept].filter((reference) => reference.deref() !== undefined).length;
  };
  expect(await isHeld(() => undefined)).toBe(8);
  expect(await isHeld(() => edits.clear())).toBe(8);
  const removeSecond = () => {
    // With its row of the sheet.
    edits.remove(rows().filter(({ name }) => name === 'b.lic'));
    edits.hide();
    list.shown.peek();
  };
  expect(await isHeld(removeSecond)).toBe(4);
  edits.clear();
  expect(
    await isHeld(() => {
      edits.clear();
      edits.hide();
    }),
  ).toBe(0);
  const removeWhileAdding = () => {
    void edits.add(new Promise(() => undefined));
    list.shown.peek();
    removeSecond();
  };
  expect(await isHeld(removeWhileAdding)).toBe(4);
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
      places: [{ name, folder: '' }],
      fingerprint,
      facts: { ...NOTHING, pin },
      wasReplaced: false,
      failure: null,
    }));
    return { day: '2026-10-01', isPart: false, unclear: 0, rows: listed };
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

  it('what it knows of the same bytes for sure is not unread, and what ring refused that day says why', async () => {
    const files = ['proven', 'typed', 'refused', 'timed out', 'other'].map((name) => given(name, name));
    const { rows: listed, ...sheet } = await listOf(...files.slice(0, 4));
    const failed = (text: string, canRetry: boolean) => ({
      facts: NOTHING,
      failure: { problem: { text, language: 'en', requestId: null } as const, canRetry },
    });
    const said: Partial<SheetRow>[] = [
      {},
      { facts: { ...NOTHING, product: 'P' } },
      failed('No.', false),
      failed('Late.', true),
    ];
    await add(files, { ...sheet, rows: listed.map((row, index) => ({ ...row, ...said[index] })) });
    const states = () =>
      rows().map(
        ({ name, isUnread, isListed, state }) =>
          `${name}: ${isUnread ? 'unread' : isListed ? 'listed' : state.name}`,
      );
    expect(states()).toEqual([
      'proven: listed',
      'typed: unread',
      'refused: failed',
      'timed out: unread',
      'other: unread',
    ]);
    const [proven, , refused] = rows() as [License, License, License];
    expect(refused.state.failure?.problem).toEqual({ text: 'No.', language: 'en', requestId: null });
    // Each can be read nevertheless.
    for (const license of [proven, refused]) license.wait();
    expect([proven, refused].map(({ state }) => state)).toEqual([{ name: 'waiting' }, { name: 'waiting' }]);
    refused.release();
    expect(states()[2]).toBe('refused: failed');
    edits.take(undefined);
    expect(states().slice(1)).toEqual([
      'typed: unread',
      'refused: unread',
      'timed out: unread',
      'other: unread',
    ]);
  });

  it('calls nothing gone while files arrive, and goes on saying what it said of the same sheet', async () => {
    const { files, letGo } = manyFiles();
    const sheet = await listOf(...files.slice(0, 150), given('x.lic', 'x'));
    const arriving = add(files, sheet);
    await arrived(201);
    expect(changes()).toEqual([]);
    letGo();
    await arriving;
    expect(changes()).toContain('x.lic gone');
    expect(changes()).toHaveLength(101);
    const more = manyFiles();
    const again = add([...more.files, given('more.lic', 'more')]);
    const other = edits.add({ files: [], sheet: await listOf(given('x.lic', 'x')) });
    await vi.waitFor(() => expect(more.opened.size).toBe(250));
    expect(changes()).toHaveLength(101);
    edits.take(sheetOf('y.lic'));
    expect(changes()).toEqual([]);
    more.letGo();
    await Promise.all([again, other]);
    expect(changes().filter((change) => change.endsWith('gone'))).toEqual(['x.lic gone']);
  });

  it('does not call gone what was removed while files arrived, nor new what came back', async () => {
    const { files, letGo } = manyFiles();
    const others = [given('0.lic', '0'), given('1.lic', 'other bytes'), given('x.lic', 'x')];
    const listed = await listOf(...others, ...files.slice(2, 150));
    const known = listed.rows.map((row) =>
      row.places[0]?.name === '1.lic' ? row : { ...row, facts: NOTHING },
    );
    await add([given('1.lic', '1')]);
    // The same license as in the sheet, by its PIN code.
    for (const license of rows()) readAs(license, decoded({ pin: pin.replaceAll('-', '') }));
    await add([given('x.lic', 'x')]);
    const late = [given('0.lic', '0'), given('1.lic', '1')];
    const arriving = add([...files.slice(2, 202), ...late, ...files.slice(202)], { ...listed, rows: known });
    await arrived(202 + 2);
    edits.remove(rows().filter(({ name, isGiven }) => isGiven && ['1.lic', 'x.lic'].includes(name)));
    expect(rows().filter(({ isGiven }) => !isGiven)).toHaveLength(1);
    letGo();
    await arriving;
    expect(changes().filter((change) => /gone|^(?:0|1|x)[.]/.test(change))).toEqual([]);
  });

  it.each<[string, string, boolean, number, boolean, string[]]>([
    ['a b', 'a b', false, 2, false, []],
    ['a b c d', 'a b', false, 2, false, ['c new', 'd new']],
    ['a b', 'a b c', true, 2, true, ['c gone']],
    ['a b', 'a', true, 1, true, []],
    ['a b c', 'a x', false, 1, true, ['x gone']],
  ])('files %s, sheet %s, a part by its tab: %s', async (files, listed, isPartByTab, here, isPart, told) => {
    const filesOf = (names: string) => names.split(' ').map((name) => given(name, name));
    const sheet = await listOf(...filesOf(listed));
    const rows = sheet.rows.map((row) => ({ ...row, facts: NOTHING }));
    await add(filesOf(files), { ...sheet, rows, isPart: isPartByTab });
    expect([all.matched.value.size, all.comparison.value.isPart]).toEqual([here, isPart]);
    expect(changes().sort()).toEqual(told);
  });

  it('compares what has arrived when all has, and nothing with a sheet that was removed', async () => {
    const { files, letGo } = manyFiles();
    edits.take(await listOf(...files.slice(0, 150), given('x.lic', 'x')));
    const arriving = add(files);
    await vi.waitFor(() => expect(states()).toHaveLength(201));
    expect(changes()).toEqual([]);
    letGo();
    await arriving;
    expect(changes()).toContain('x.lic gone');
    expect(changes()).toHaveLength(101);
    const more = add([given('more.lic', 'more')]);
    edits.take(undefined);
    expect(changes()).toEqual([]);
    await more;
    expect(changes()).toEqual([]);
  });

  it('compares again when a reading has ended, not with each answer', async () => {
    const known = [given('d.lic', 'd'), given('e.lic', 'e')];
    edits.take(await listOf(given('a.lic', 'a'), ...known));
    await add([given('b.lic', 'b'), given('c.lic', 'c'), ...known]);
    const [first, second] = rows().filter(({ isGiven }) => isGiven) as [License, License];
    for (const row of [first, second]) row.wait();
    expect(changes()).toHaveLength(3);
    readAs(first, decoded({ pin: pin.replaceAll('-', '') }));
    expect(changes().sort()).toEqual(['a.lic gone', 'b.lic new', 'c.lic new']);
    readAs(second, decoded({ pin: '111222333444555' }));
    expect(changes()).toEqual(['c.lic new']);
  });

  it('a row leaves with the last license that it is', async () => {
    const files = [given('a.lic', 'a'), given('b.lic', 'b'), given('c.lic', 'c')];
    await add(files, await listOf(given('old.lic', 'old')));
    const [a, b, c] = rows().filter(({ isGiven }) => isGiven) as [License, License, License];
    for (const license of [a, b, c]) license.wait();
    expect(changes()).toContain('old.lic gone');
    for (const license of [a, b, c]) readAs(license, decoded({ pin: pin.replaceAll('-', '') }));
    expect(changes()).toEqual([]);
    edits.remove([a, b]);
    expect([changes(), all.matched.value.size]).toEqual([[], 1]);
    edits.remove([c]);
    expect(all.all.value).toEqual([]);
  });
});
