import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FILE_BYTES } from '../../../../src/decode/upload.js';
import { compare } from '../../../../src/web/page/model/comparison.js';
import { Inventory } from '../../../../src/web/page/model/inventory.js';
import { licenseOf, pathOf, stateOf } from '../../../../src/web/page/model/item.js';
import { ofSheet } from '../../../../src/web/page/model/facts.js';
import type { Sheet } from '../../../../src/web/page/model/sheet.js';

let all: Inventory;
beforeEach(() => {
  all = new Inventory(MAX_FILE_BYTES);
});
const given = (name: string, content: string | Uint8Array<ArrayBuffer>, folder = '') => ({
  file: new File([content], name),
  folder,
});
const states = () => all.items.value.map((item) => stateOf(item).name);
const texts = () =>
  Promise.all(all.items.value.map(async (item) => `${pathOf(item)}: ${await item.content.file?.text()}`));

it('reads the clear text of each file before anything is sent', async () => {
  await all.add([given('a.lic', 'Тип лицензии: клиент\nСрок действия: 31.12.2026\n', 'srv')]);
  expect(all.items.value).toMatchObject([{ name: 'a.lic', folder: 'srv' }]);
  expect(all.items.value.map(licenseOf)).toMatchObject([{ type: 'клиент', validUntil: '2026-12-31' }]);
});

it('files with the same bytes share what becomes of them, whenever they are added', async () => {
  await Promise.all([
    all.add([given('a.lic', 'same'), given('b.lic', 'same'), given('c.lic', 'other')]),
    all.add([given('d.lic', 'same')]),
  ]);
  const [first] = all.items.value;
  first?.content.happens('asked');
  await all.add([given('e.lic', 'same')]);
  expect(states()).toEqual(['waiting', 'waiting', 'unread', 'waiting', 'waiting']);
  expect([...all.pending.value]).toEqual([first?.content]);
});

it('files of the same size and sum with other bytes are no duplicates', async () => {
  // Two texts with the same FNV-1a sum of 32 bits.
  await all.add([given('a.lic', 'costarring'), given('b.lic', 'liquid')]);
  await all.add([given('c.lic', 'declinate'), given('d.lic', 'macallums')]);
  expect(new Set(all.items.value.map(({ content }) => content)).size).toBe(4);
});

it('does not send what the service would refuse, which would count towards the limit', async () => {
  await all.add([
    given('empty.lic', ''),
    given('big.lic', new Uint8Array(MAX_FILE_BYTES + 1)),
    given('largest.lic', new Uint8Array(MAX_FILE_BYTES)),
  ]);
  expect(all.items.value.map(stateOf)).toMatchObject([
    { failure: { problem: { key: 'emptyFile' }, canRetry: false } },
    { failure: { problem: { key: 'tooLarge', values: { size: 5 } }, canRetry: false } },
    { name: 'unread' },
  ]);
});

it('says of a file that cannot be read that it is gone, and goes on', async () => {
  const gone = new File(['x'], 'gone.lic');
  gone.arrayBuffer = () => Promise.reject(new Error('NotReadableError'));
  await all.add([{ file: gone, folder: '' }, given('a.lic', 'x')]);
  expect(all.items.value.map(stateOf)).toMatchObject([
    { name: 'failed', failure: { canRetry: true } },
    { name: 'unread' },
  ]);
});

it('adds files although those before them threw', async () => {
  await expect(all.add([undefined as never])).rejects.toThrow();
  await all.add([given('a.lic', 'x')]);
  expect(states()).toEqual(['unread']);
});

it('the same path again adds no row: the same bytes change nothing, others take the place', async () => {
  await all.add([given('a.lic', '1', 'srv'), given('b.lic', '2', 'srv'), given('c.lic', '3', 'srv')]);
  await all.add([given('a.lic', 'new', 'srv'), given('b.lic', '2', 'srv'), given('a.lic', '4', 'other')]);
  expect(await texts()).toEqual(['srv/a.lic: new', 'srv/b.lic: 2', 'srv/c.lic: 3', 'other/a.lic: 4']);
  expect(all.again.value?.updated.size).toBe(1);
  expect(all.again.value?.unchanged).toHaveLength(1);
  all.keepBoth();
  expect(await texts()).toEqual([
    ...['srv/a.lic: 1', 'srv/a.lic: new', 'srv/b.lic: 2', 'srv/c.lic: 3', 'other/a.lic: 4'],
    'srv/b.lic: 2',
  ]);
});

it('an empty or too large file that comes again is unchanged', async () => {
  const files = [given('empty.lic', ''), given('big.lic', new Uint8Array(MAX_FILE_BYTES + 1))];
  await all.add([...files, given('a.lic', '')]);
  await all.add([...files, given('a.lic', 'text')]);
  expect(all.again.value?.unchanged.map(({ name }) => name)).toEqual(['empty.lic', 'big.lic']);
  expect(states()).toEqual(['unfit', 'unfit', 'unread']);
});

it('two files of one drop with the same path are two rows', async () => {
  await all.add([given('a.lic', '1', 'licenses'), given('a.lic', '2', 'licenses')]);
  expect(states()).toHaveLength(2);
});

it('what was removed comes back in its place, with what is known of it', async () => {
  await all.add([given('a.lic', '1'), given('b.lic', '2'), given('c.lic', '3')]);
  const [, second] = all.items.value;
  if (!second) throw new Error('There is no second item');
  all.remove([second]);
  second.content.happens('asked');
  expect(states()).toEqual(['unread', 'unread']);
  expect(all.pending.value.size).toBe(0);
  all.undoRemoval();
  expect(states()).toEqual(['unread', 'waiting', 'unread']);
});

/** 250 files, of which the first hundred arrive at once and the others when they are let. */
function manyFiles() {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const files = Array.from({ length: 250 }, (_, index) => given(`${index}.lic`, `${index}`));
  const held = files[150]?.file;
  if (held) held.arrayBuffer = () => gate.then(() => new Blob(['held']).arrayBuffer());
  return { files, letGo };
}

it('what was removed while files arrive comes back, and nothing else goes', async () => {
  const { files, letGo } = manyFiles();
  const arriving = all.add(files);
  await vi.waitFor(() => expect(states()).toHaveLength(100));
  all.remove(all.items.value.slice(0, 1));
  letGo();
  await arriving;
  expect(states()).toHaveLength(249);
  all.undoRemoval();
  expect(states()).toHaveLength(250);
  expect(all.items.value[0]?.name).toBe('0.lic');
});

it('a list that is cleared while files arrive stays empty, and comes back as a whole', async () => {
  const { files, letGo } = manyFiles();
  const arriving = Promise.all([all.add(files), all.add([given('later.lic', 'x')])]);
  await vi.waitFor(() => expect(states()).toHaveLength(100));
  all.clear();
  letGo();
  await arriving;
  expect(states()).toEqual([]);
  expect(all.removed.value.size).toBe(251);
  all.undoRemoval();
  expect(states()).toHaveLength(251);
});

it('nothing comes back once files were added', async () => {
  await all.add([given('a.lic', 'a')]);
  all.clear();
  await all.add([given('b.lic', 'b')]);
  expect(all.removed.value.size).toBe(0);
  all.undoRemoval();
  expect(await texts()).toEqual(['b.lic: b']);
});

it('a file that takes the place of another one keeps its id, so that its details stay open', async () => {
  await all.add([given('a.lic', '1')]);
  const [old] = all.items.value;
  await all.add([given('a.lic', '2')]);
  expect(all.items.value.map(({ id }) => id)).toEqual([old?.id]);
  all.keepBoth();
  expect(new Set(all.items.value.map(({ id }) => id)).size).toBe(2);
});

describe('with the list of another day', () => {
  const pin = '332-588-056-123-456';
  /** The list of these files, where each has the PIN code. */
  const listOf = async (...files: ReturnType<typeof given>[]): Promise<Sheet> => {
    const known = new Inventory(MAX_FILE_BYTES);
    await known.add(files);
    const rows = known.items.value.map(({ name, folder, content: { fingerprint } }) => ({
      name,
      folder,
      fingerprint,
      source: ofSheet({ pin }, '2026-10-01'),
      error: null,
    }));
    return { day: '2026-10-01', isPartial: false, unclear: 0, rows, compare };
  };
  const named = () => all.items.value.map(({ name, day }) => `${name} ${day ?? 'today'}`);
  const changes = () =>
    Array.from(all.comparison.value.changes, ([{ name }, change]) => `${name} ${change.name}`);

  it('has its rows where no file is, and of the same bytes says what a file does not', async () => {
    all.take(await listOf(given('a.lic', 'a'), given('b.lic', 'b')));
    expect(named()).toEqual(['a.lic 2026-10-01', 'b.lic 2026-10-01']);
    expect(changes()).toEqual([]);
    await all.add([given('a.lic', 'a'), given('c.lic', 'c')]);
    expect(named()).toEqual(['b.lic 2026-10-01', 'a.lic today', 'c.lic today']);
    expect(changes().sort()).toEqual(['b.lic gone', 'c.lic new']);
    expect(all.items.value.map((item) => licenseOf(item).pin)).toEqual([pin, pin, null]);
    all.take(await listOf(given('a.lic', 'other')));
    expect(named()).toEqual(['a.lic today', 'c.lic today']);
    expect(changes()).toEqual(['a.lic changed', 'c.lic new']);
    expect(all.items.value.map((item) => licenseOf(item).pin)).toEqual([null, null]);
  });

  it('does not call gone what the user removed, and goes with the last of it', async () => {
    await all.add([given('a.lic', 'a'), given('b.lic', 'b')]);
    all.take(await listOf(given('a.lic', 'a'), given('b.lic', 'b')));
    all.remove(all.items.value.slice(0, 1));
    expect(named()).toEqual(['b.lic today']);
    all.forgetRemoved();
    expect(named()).toEqual(['b.lic today']);
    all.clear();
    await all.add([given('c.lic', 'c')]);
    expect(all.sheet.value).toBeUndefined();
    expect(changes()).toEqual([]);
  });
});
