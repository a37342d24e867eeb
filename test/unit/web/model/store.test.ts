import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FILE_BYTES } from '../../../../src/license/clear-text.js';
import { nameOf, type License } from '../../../../src/web/page/model/license.js';
import { pathOf, type Sheet, type SheetRow } from '../../../../src/web/page/model/state.js';
import { Store, type Given } from '../../../../src/web/page/model/store.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { rowTexts } from '../../../../src/web/page/ui/row-texts.js';
import { decoded, rowOf } from './licenses.js';

/** A page of which nothing is sent, since its limit is 0. */
const newStore = (limit = 0) =>
  new Store({
    limit,
    windowSeconds: 3600,
    timeoutMs: 55_000,
    maxFileBytes: MAX_FILE_BYTES,
    language,
    describe: rowTexts,
  });
let store: Store;
beforeEach(() => {
  store = newStore();
});

const add = (files: Given['files'], sheet?: Sheet) => store.add({ files, sheet });
const given = (name: string, content: string | Uint8Array<ArrayBuffer>, folder = '') => ({
  file: new File([content], name),
  folder,
});
type GivenFile = ReturnType<typeof given>;
const sheetOf = (...rows: SheetRow[]): Sheet => ({ day: '2026-10-01', isPart: false, unclear: 0, rows });
/** A sheet with these names, of which nothing more is known. */
const sheetWith = (...names: string[]) => sheetOf(...names.map((name) => rowOf(name)));
const undo = () => store.dispatch({ type: 'undone' });
const hide = () => store.dispatch({ type: 'noticeHidden' });
/** Has the service answer about licenses. */
function answer(licenses: readonly License[], pin = '332588056123456') {
  for (const { fingerprint } of licenses)
    if (fingerprint !== null)
      store.dispatch({
        type: 'answered',
        fingerprint,
        outcome: { name: 'done', result: decoded({ pin }) },
        answer: undefined,
      });
}

const rows = () => store.licenses.value;
const names = () => rows().map(nameOf);
const states = () => rows().map(({ status }) => status);
/** How many rows were removed, how many files were updated, and how many are unchanged. */
const told = () => {
  const { undo } = store.state.value;
  return undo && [undo.removed, undo.updated, undo.unchanged];
};
/** The paths and the text of each row. */
function texts(): Promise<string[]> {
  const files = store.files.value;
  return Promise.all(
    rows().map(async ({ places, fingerprint }) => {
      const file = files.find((file) => file.fingerprint === fingerprint)?.file;
      return `${places.map(pathOf).join(' + ')}: ${await file?.text()}`;
    }),
  );
}

it('reads the clear text of each file before anything is sent', async () => {
  await add([given('a.lic', 'Тип лицензии: клиент\nСрок действия: 31.12.2026\n', 'srv')]);
  expect(rows().map(({ known }) => known)).toMatchObject([{ type: 'клиент', validUntil: '2026-12-31' }]);
});

it('knows nothing of a text without a field that is known', async () => {
  await add([given('a.lic', 'Пароль: на стикере\n')]);
  expect(rows()[0]?.known.isBlank).toBe(true);
});

it('a row is distinct bytes, wherever and whenever they are added', async () => {
  await Promise.all([
    add([given('a.lic', 'same'), given('b.lic', 'same'), given('c.lic', 'other')]),
    add([given('d.lic', 'same')]),
  ]);
  await add([given('e.lic', 'same')]);
  expect(await texts()).toEqual(['a.lic + b.lic + d.lic + e.lic: same', 'c.lic: other']);
  expect(store.files.value).toHaveLength(5);
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
  expect(rows()).toMatchObject([
    { status: 'unfit', failure: { problem: { key: 'emptyFile' } }, canBeAsked: false },
    { status: 'unfit', failure: { problem: { key: 'tooLarge', values: { size: 5 } } }, canBeAsked: false },
    { status: 'unread', canBeAsked: true },
  ]);
});

it('says of a file that cannot be read that it is gone, and goes on', async () => {
  const gone = new File(['x'], 'gone.lic');
  gone.arrayBuffer = () => Promise.reject(new Error('NotReadableError'));
  await add([{ file: gone, folder: '' }, given('a.lic', 'x')]);
  expect(rows()).toMatchObject([{ status: 'failed', canBeAsked: true }, { status: 'unread' }]);
});

it('adds files although those before them threw', async () => {
  await expect(add([undefined as never])).rejects.toThrow();
  await add([given('a.lic', 'x')]);
  expect(states()).toEqual(['unread']);
});

describe('a path that the list has', () => {
  it.each<[string, string, string, string[], number[] | undefined]>([
    ['the same bytes change nothing', 's/a:1', 's/a:1', ['s/a: 1'], [0, 0, 1]],
    ['other bytes take its place', 's/a:1', 's/a:2', ['s/a: 2'], [0, 1, 0]],
    ['it moves to the row that has the bytes', 'a:1 b:2', 'a:2', ['a + b: 2'], [0, 1, 0]],
    ['a row keeps its other places', 'a:1 b:1', 'a:2', ['a: 2', 'b: 1'], [0, 1, 0]],
    ['held twice: beside', 'a:1 a:2', 'a:3', ['a: 1', 'a: 2', 'a: 3'], undefined],
    ['held twice, with bytes that are known', 'a:1 a:2', 'a:2', ['a: 1', 'a: 2'], [0, 0, 1]],
    ['twice in one drop', 'a:1', 'a:1 a:2', ['a: 1', 'a: 2'], [0, 0, 1]],
    ['another folder is another path', 's/a:1', 't/a:2', ['s/a: 1', 't/a: 2'], undefined],
  ])('%s', async (_fact, first, second, expected, notice) => {
    const files = (drop: string) =>
      drop.split(' ').map((file) => {
        const [, folder, name = '', text = ''] = /^(?:(.*)\/)?(.*):(.*)$/.exec(file) ?? [];
        return given(name, text, folder);
      });
    await add(files(first));
    const before = await texts();
    await add(files(second));
    expect(await texts()).toEqual(expected);
    expect(told()).toEqual(notice);
    // There is no button for it when nothing was updated.
    if (notice?.[1]) {
      undo();
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
    expect(told()).toEqual([0, 1, 2]);
    expect(states()).toEqual(['unfit', 'unfit', 'unread']);
    await add([given('big.lic', new Uint8Array(MAX_FILE_BYTES + 2))]);
    expect(told()).toEqual([0, 1, 0]);
  });

  it('keeps the place of its row through an update and Undo, which takes nothing else along', async () => {
    await add([given('a.lic', 'a'), given('b.lic', 'b'), given('c.lic', 'c')]);
    await add([given('b.lic', 'new'), given('0.lic', '0')]);
    expect(told()).toEqual([0, 1, 0]);
    expect(names()).toEqual(['a.lic', 'b.lic', 'c.lic', '0.lic']);
    undo();
    expect(await texts()).toEqual(['a.lic: a', 'b.lic: b', 'c.lic: c', '0.lic: 0']);
  });

  it('of a file that is renamed while another takes its name, both are rows', async () => {
    await add([given('a.lic', '1')]);
    const id = rows()[0]?.id;
    await add([given('a.lic', '2'), given('b.lic', '1')]);
    expect(await texts()).toEqual(['a.lic: 2', 'b.lic: 1']);
    expect(rows().map((row) => row.id === id)).toEqual([true, false]);
    undo();
    expect(await texts()).toEqual(['a.lic + b.lic: 1']);
  });
});

it('what was removed comes back in its place, with what is known of it', async () => {
  await add([given('a.lic', '1'), given('b.lic', '2'), given('c.lic', '3')]);
  answer(rows());
  store.remove(rows().slice(1, 2));
  expect(await texts()).toEqual(['a.lic: 1', 'c.lic: 3']);
  undo();
  expect(await texts()).toEqual(['a.lic: 1', 'b.lic: 2', 'c.lic: 3']);
  expect(states()).toEqual(['done', 'done', 'done']);
});

it.each<[string, Given]>([
  ['files were added', { files: [given('b.lic', 'b')] }],
  ['a sheet was added', { files: [], sheet: sheetWith('b.lic') }],
])('nothing comes back once %s', async (_what, added) => {
  await add([given('a.lic', 'a')], sheetWith('x.lic'));
  store.clear();
  await store.add(added);
  expect(told()).toBeUndefined();
  undo();
  expect(names()).toEqual(['b.lic']);
});

it('a row of which nothing has changed stays the same object', async () => {
  await add([given('a.lic', 'a'), given('b.lic', 'b'), given('c.lic', 'c')]);
  const [a, b, c] = rows();
  await add([given('copy.lic', 'b')]);
  expect(rows().map((row) => [a, b, c].includes(row))).toEqual([true, false, true]);
  const second = rows()[1];
  answer(rows().slice(2));
  expect(rows().map((row) => [a, second, c].includes(row))).toEqual([true, true, false]);
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

it('asking for nothing changes nothing, so that nothing is computed anew', async () => {
  await add([given('a.lic', 'a')]);
  const before = store.state.value;
  store.dispatch({ type: 'asked', fingerprints: [] });
  expect(store.state.value).toBe(before);
});

describe('while files arrive', () => {
  it('what was removed comes back, and nothing else goes', async () => {
    const { files, letGo } = manyFiles();
    const arriving = add(files);
    await arrived(200);
    store.remove(rows().slice(0, 1));
    letGo();
    await arriving;
    expect(states()).toHaveLength(249);
    undo();
    expect(states()).toHaveLength(250);
    expect(names()[0]).toBe('0.lic');
  });

  it('Clear stops them, and Undo brings back what was in the list', async () => {
    const { files, opened, letGo } = manyFiles(450);
    const arriving = Promise.all([add(files), add([given('later.lic', 'x')], sheetWith('y.lic'))]);
    await arrived(200);
    store.clear();
    expect([told(), store.isArriving.value]).toEqual([[200, 0, 0], false]);
    expect(store.undo.value?.hasStoppedFiles).toBe(true);
    letGo();
    await arriving;
    expect([opened.size, names()]).toEqual([400, []]);
    undo();
    expect(names()).toEqual(files.slice(0, 200).map(({ file }) => file.name));
  });

  it('Undo while they still arrive after Clear has nothing of them read', async () => {
    store = newStore(1000);
    const { files, letGo } = manyFiles();
    const arriving = add(files);
    await arrived(200);
    store.clear();
    undo();
    letGo();
    await arriving;
    expect(new Set(states())).toEqual(new Set(['unread']));
  });

  it('folders that are searched when the list is cleared give nothing', async () => {
    await add([given('a.lic', 'a')]);
    let found: (given: Given) => void = () => undefined;
    const arriving = store.add(new Promise<Given>((resolve) => (found = resolve)));
    store.clear();
    found({ files: [given('b.lic', 'b')], sheet: sheetWith('c.lic') });
    await arriving;
    undo();
    expect([names(), store.sheet.value]).toEqual([['a.lic'], undefined]);
  });

  it('the list is arriving until the last folder is searched and the last file read', async () => {
    let found: (given: Given) => void = () => undefined;
    const searched = store.add(new Promise<Given>((resolve) => (found = resolve)));
    await add([given('a.lic', 'a')]);
    // A drop waits for its own folders only.
    expect([names(), store.isArriving.value]).toEqual([['a.lic'], true]);
    const { files, letGo } = manyFiles();
    found({ files });
    await arrived(201);
    expect(store.isArriving.value).toBe(true);
    letGo();
    await searched;
    expect(store.isArriving.value).toBe(false);
  });

  it('what was removed and arrives again comes back once, with what was known of it', async () => {
    const { files, letGo } = manyFiles();
    await add([given('201.lic', '201')]);
    answer(rows());
    const arriving = add(files);
    await arrived(201);
    store.remove(rows().filter((license) => nameOf(license) === '201.lic'));
    letGo();
    await arriving;
    undo();
    expect((await texts()).filter((text) => text.includes('201'))).toEqual(['201.lic: 201']);
    expect(states().filter((status) => status === 'done')).toHaveLength(1);
  });
});

it('nothing that has left the list and Undo is kept', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { view } = store;
  /** Two licenses and a sheet, of which one row is one of them; what is seen of them. */
  const giveBoth = async () => {
    await add(
      [given('a.lic', 'a'), given('b.lic', 'b', 's')],
      sheetOf(rowOf('s/b.lic', { product: 'P' }), rowOf('c.lic', { product: 'P' })),
    );
    answer(rows());
    view.choose('changes');
    expect(view.shown.value).toHaveLength(2);
  };
  const parts = (): object[] => [
    ...rows(),
    ...store.sheetLicenses.value,
    ...(store.sheet.value?.rows ?? []),
    ...store.files.value.map(({ file }) => file),
    ...store.state.value.contents.values(),
  ];
  const isHeld = async (act: () => void) => {
    await giveBoth();
    const kept = new Set(parts().map((part) => new WeakRef(part)));
    act();
    // An object that was seen in this turn lives on until the next one.
    await new Promise((done) => setTimeout(done));
    collect();
    return [...kept].filter((reference) => reference.deref() !== undefined).length;
  };
  const count = await isHeld(() => undefined);
  expect(count).toBeGreaterThan(8);
  store.clear();
  expect(await isHeld(() => store.clear())).toBe(count);
  store.clear();
  expect(
    await isHeld(() => {
      store.clear();
      hide();
    }),
  ).toBe(0);
  const removeSecond = () => {
    // With its row of the sheet.
    store.remove(rows().filter((license) => nameOf(license).endsWith('b.lic')));
    hide();
    view.shown.peek();
    view.counts.peek();
    view.users.peek();
  };
  const left = await isHeld(removeSecond);
  expect(left).toBeLessThan(count);
  expect(left).toBe(parts().length);
  store.clear();
  hide();
  const removeWhileArriving = () => {
    void store.add(new Promise(() => undefined));
    view.shown.peek();
    removeSecond();
  };
  expect(await isHeld(removeWhileArriving)).toBe(left);
});

describe('with the list of another day', () => {
  const pin = '332-588-056-123-456';
  /** The row of a file, of which the sheet has the PIN code. */
  const rowWith = async (file: GivenFile, row: Partial<SheetRow> = {}) => {
    const known = newStore();
    await known.add({ files: [file] });
    const [license] = known.licenses.value;
    return { ...rowOf(file.file.name, { pin }, { fingerprint: license?.fingerprint ?? null }), ...row };
  };
  const listOf = async (...files: GivenFile[]): Promise<Sheet> =>
    sheetOf(...(await Promise.all(files.map((file) => rowWith(file)))));
  const named = () => rows().map((license) => `${nameOf(license)} ${license.day ?? 'today'}`);
  const changes = () => {
    const byId = new Map([...rows()].map((license) => [license.id, nameOf(license)]));
    return Array.from(store.changes.value, ([id, change]) => `${byId.get(id)} ${change.name}`).sort();
  };

  it('has its rows where no file is, and of the same bytes says what a file does not', async () => {
    await add([], await listOf(given('a.lic', 'a'), given('b.lic', 'b')));
    expect(named()).toEqual(['a.lic 2026-10-01', 'b.lic 2026-10-01']);
    expect(changes()).toEqual([]);
    await add([given('a.lic', 'a'), given('c.lic', 'c')]);
    expect(named()).toEqual(['b.lic 2026-10-01', 'a.lic today', 'c.lic today']);
    expect(changes()).toEqual(['b.lic gone', 'c.lic new']);
    expect(rows().map(({ known }) => known.pin)).toEqual([pin, pin, null]);
    await add([], await listOf(given('a.lic', 'other')));
    expect(changes()).toEqual(['a.lic gone', 'a.lic new', 'c.lic new']);
    expect(rows().map(({ known }) => known.pin)).toEqual([null, null, pin]);
  });

  it('does not call gone what the user removed, and goes with the last of it', async () => {
    await add([given('a.lic', 'a'), given('b.lic', 'b')]);
    await add([], await listOf(given('a.lic', 'a'), given('b.lic', 'b')));
    store.remove(rows().slice(0, 1));
    expect([named(), changes()]).toEqual([['b.lic today'], []]);
    undo();
    expect([named(), changes()]).toEqual([['a.lic today', 'b.lic today'], []]);
    store.remove(rows());
    expect(store.sheet.value).toBeUndefined();
    undo();
    expect(store.sheet.value?.rows).toHaveLength(2);
  });

  it('what it knows of the same bytes is not unread, and what ring refused that day says why', async () => {
    const failed = (text: string, canRetry: boolean): Partial<SheetRow> => ({
      facts: rowOf('').facts,
      failure: { problem: { quoted: text, language: 'en' }, canRetry },
    });
    const files = ['known', 'refused', 'late', 'other'].map((name) => given(name, name)) as [
      GivenFile,
      GivenFile,
      GivenFile,
      GivenFile,
    ];
    const sheet = sheetOf(
      await rowWith(files[0]),
      await rowWith(files[1], failed('No.', false)),
      await rowWith(files[2], failed('Late.', true)),
    );
    await add(files, sheet);
    const stateOf = ({ isUnread, hasPinOfSheet, status }: License) =>
      isUnread ? 'unread' : hasPinOfSheet ? 'listed' : status;
    expect(rows().map(stateOf)).toEqual(['listed', 'failed', 'unread', 'unread']);
    expect(rows()[1]?.failure?.problem).toEqual({ quoted: 'No.', language: 'en' });
    // Each can be read nevertheless, but what ring refused is not offered among what may work another time.
    expect(rows().map(({ canBeAsked }) => canBeAsked)).toEqual([true, true, true, true]);
    expect(store.retriable).toEqual([]);
    store.dispatch({ type: 'sheetRemoved' });
    expect(rows().map(stateOf)).toEqual(['unread', 'unread', 'unread', 'unread']);
  });

  it('of several rows with the same bytes, the first one counts', async () => {
    const file = given('a.lic', 'a');
    const first = await rowWith(file);
    const second = await rowWith(file, { facts: rowOf('', { pin: '332-588-056-123-457' }).facts });
    await add([file], sheetOf(first, second));
    expect(rows().map(({ known }) => known.pin)).toEqual([pin]);
  });

  it('calls nothing gone while files arrive', async () => {
    const { files, letGo } = manyFiles();
    const arriving = add(files, await listOf(...files.slice(0, 150), given('x.lic', 'x')));
    await arrived(201);
    expect(changes().filter((change) => change.endsWith('gone'))).toEqual([]);
    letGo();
    await arriving;
    expect(changes()).toContain('x.lic gone');
    expect(changes()).toHaveLength(101);
  });

  it('does not call gone what was removed while files arrived', async () => {
    const { files, letGo } = manyFiles();
    const removed = [given('x.lic', 'x'), given('y.lic', 'other bytes')] as const;
    await add([given('y.lic', 'y'), removed[0]]);
    // The same license as in the sheet, by its PIN code.
    answer(rows().slice(0, 1), pin.replaceAll('-', ''));
    const sheet = sheetOf(await rowWith(removed[0], { facts: rowOf('').facts }), await rowWith(removed[1]));
    const arriving = add(files, sheet);
    await arrived(202);
    store.remove(rows().filter((license) => /^[xy]/.test(nameOf(license))));
    letGo();
    await arriving;
    expect(changes().filter((change) => change.endsWith('gone'))).toEqual([]);
  });

  it('calls nothing new that a part of a list may lack', async () => {
    const sheet = { ...(await listOf(given('a.lic', 'a'), given('x.lic', 'x'))), isPart: true };
    await add([given('a.lic', 'a'), given('b.lic', 'b')], sheet);
    expect(changes()).toEqual(['x.lic gone']);
  });

  it('does not move a row when a single one is read', async () => {
    const until = (day: string) => `Срок действия: ${day}\n`;
    const files = [given('late.lic', until('31.12.2099')), given('unknown.lic', 'x')];
    await add(files, await listOf(given('gone.lic', 'gone')));
    const order = () => store.view.shown.value.map(nameOf);
    const before = order();
    const [unknown] = rows().filter((license) => nameOf(license) === 'unknown.lic');
    answer(unknown ? [unknown] : []);
    expect(order()).toEqual(before);
  });

  it('a row of the sheet goes with its last license', async () => {
    await add([given('a.lic', 'a'), given('b.lic', 'b'), given('c.lic', 'c')]);
    answer(rows(), pin.replaceAll('-', ''));
    await add([], await listOf(given('old.lic', 'old')));
    expect(changes()).toEqual([]);
    store.remove(rows().slice(0, 2));
    expect([changes(), store.matched.value.size]).toEqual([[], 1]);
    store.remove(rows());
    expect([rows(), store.sheet.value]).toEqual([[], undefined]);
  });
});
