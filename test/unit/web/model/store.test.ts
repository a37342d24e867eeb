import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nameOf, type License } from '../../../../src/web/page/model/license.js';
import { pathOf } from '../../../../src/web/page/model/state.js';
import { Store, type Given } from '../../../../src/web/page/model/store.js';
import { decoded, NOTHING_LEFT_OUT, SETTINGS } from './licenses.js';

let store: Store;
beforeEach(() => {
  // Nothing is sent, since the limit is 0.
  store = new Store({ ...SETTINGS, limit: 0 });
});

const add = (files: Given['files']) => store.add(() => ({ files, leftOut: NOTHING_LEFT_OUT }));
const given = (name: string, content: string | Uint8Array<ArrayBuffer>, folder = '') => ({
  file: new File([content], name),
  folder,
});
/** Has the service answer about licenses. */
function answer(licenses: readonly License[]) {
  for (const { fingerprint } of licenses)
    store.dispatch({
      type: 'answered',
      fingerprint,
      outcome: { name: 'done', result: decoded({}) },
      answer: undefined,
    });
}

const rows = () => store.licenses.value;
const names = () => rows().map(nameOf);
const states = () => rows().map(({ status }) => status);
/** The names of the files that were in the list already. */
const unchanged = () => {
  const leftOut = store.state.value.leftOut?.files ?? [];
  return leftOut.filter(({ reason }) => reason === 'unchanged').map(({ name }) => name);
};
/** The paths and the text of each row. */
function texts(): Promise<string[]> {
  const { contents } = store.state.value;
  return Promise.all(
    rows().map(async ({ places, fingerprint }) => {
      const text = await contents.get(fingerprint)?.bytes.text();
      return `${places.map(pathOf).join(' + ')}: ${text}`;
    }),
  );
}

it('reads the clear text of each file before anything is sent', async () => {
  await add([given('a.lic', 'Тип лицензии: клиент\nСрок действия: 31.12.2026\n', 'srv')]);
  expect(rows().map(({ facts }) => facts)).toMatchObject([{ type: 'клиент', validUntil: '2026-12-31' }]);
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
  await add([given('a.lic', 'declinate'), given('b.lic', 'macallums')]);
  expect(rows()).toHaveLength(2);
});

it('says of a file that the service would refuse that it is left out', async () => {
  await add([given('empty.lic', ''), given('a.lic', 'a')]);
  expect(names()).toEqual(['a.lic']);
  expect(store.state.value.leftOut).toMatchObject({ files: [{ name: 'empty.lic', reason: 'empty' }] });
});

it('adds files although those before them threw', async () => {
  await expect(add([undefined as never])).rejects.toThrow();
  await add([given('a.lic', 'x')]);
  expect(states()).toEqual(['unread']);
});

describe('a path that the list has', () => {
  it.each<[string, string, string, string[], string[]]>([
    ['the same bytes change nothing', 's/a:1', 's/a:1', ['s/a: 1'], ['a']],
    ['other bytes are another row', 's/a:1', 's/a:2', ['s/a: 1', 's/a: 2'], []],
    ['bytes of another row are one more place', 'a:1 b:2', 'a:2', ['a: 1', 'b + a: 2'], []],
    ['another folder is another path', 's/a:1', 't/a:2', ['s/a: 1', 't/a: 2'], []],
  ])('%s', async (_fact, first, second, expected, notice) => {
    const files = (drop: string) =>
      drop.split(' ').map((file) => {
        const [, folder, name = '', text = ''] = /^(?:(.*)\/)?(.*):(.*)$/.exec(file) ?? [];
        return given(name, text, folder);
      });
    await add(files(first));
    await add(files(second));
    expect(await texts()).toEqual(expected);
    expect(unchanged()).toEqual(notice);
  });
});

it('what was read of removed files is forgotten', async () => {
  await add([given('a.lic', '1'), given('b.lic', '2')]);
  answer(rows());
  store.remove(rows().slice(0, 1));
  await add([given('a.lic', '1')]);
  expect(states()).toEqual(['done', 'unread']);
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

describe('while files arrive', () => {
  it('Clear stops them', async () => {
    const { files, opened, letGo } = manyFiles(450);
    const arriving = Promise.all([add(files), add([given('later.lic', 'x')])]);
    await arrived(200);
    store.clear();
    letGo();
    await arriving;
    expect([opened.size, names()]).toEqual([400, []]);
  });

  it('folders that are searched when the list is cleared give nothing', async () => {
    await add([given('a.lic', 'a')]);
    let found: (given: Given) => void = () => undefined;
    const arriving = store.add(() => new Promise<Given>((resolve) => (found = resolve)));
    store.clear();
    const leftOut = [{ name: 'b.txt', reason: 'notLicense' } as const];
    found({ files: [given('b.lic', 'b')], leftOut: { ...NOTHING_LEFT_OUT, files: leftOut } });
    await arriving;
    expect([names(), store.state.value.leftOut]).toEqual([[], undefined]);
  });

  it('the list is arriving until the last folder is searched and the last file read', async () => {
    let found: (given: Given) => void = () => undefined;
    const searched = store.add(() => new Promise<Given>((resolve) => (found = resolve)));
    await add([given('a.lic', 'a')]);
    // A drop waits for its own folders only.
    expect([names(), store.isArriving.value]).toEqual([['a.lic'], true]);
    const { files, letGo } = manyFiles();
    found({ files, leftOut: NOTHING_LEFT_OUT });
    await arrived(201);
    expect(store.isArriving.value).toBe(true);
    letGo();
    await searched;
    expect(store.isArriving.value).toBe(false);
  });
});
