import { beforeEach, expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '../../../../src/decode/upload.js';
import { Inventory } from '../../../../src/web/page/model/inventory.js';
import { licenseOf, pathOf, stateOf } from '../../../../src/web/page/model/item.js';

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
