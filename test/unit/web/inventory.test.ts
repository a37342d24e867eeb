import { expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '../../../src/decode/upload.js';
import { Inventory } from '../../../src/web/page/inventory.js';

const inventory = () => new Inventory(() => undefined);
const given = (name: string, content: string | Uint8Array<ArrayBuffer>, folder = '') => ({
  file: new File([content], name),
  folder,
});

it('reads the clear text of each file before anything is sent', async () => {
  const all = inventory();
  await all.add([given('a.lic', 'Тип лицензии: клиент\nСрок действия: 31.12.2026\n', 'srv')]);
  expect(all.items).toMatchObject([
    { folder: 'srv', clearText: { type: 'клиент', validUntil: '2026-12-31' }, state: { name: 'waiting' } },
  ]);
});

it('files with the same bytes share what becomes of them, whenever they are added', async () => {
  const all = inventory();
  await Promise.all([
    all.add([given('a.lic', 'same'), given('b.lic', 'same'), given('c.lic', 'other')]),
    all.add([given('d.lic', 'same')]),
  ]);
  expect(all.items.map(({ content }) => content)).toEqual([1, 1, 3, 1]);
  all.set(1, { name: 'decoding' });
  await all.add([given('e.lic', 'same')]);
  expect(all.items.map(({ state }) => state.name)).toEqual([
    'decoding',
    'decoding',
    'waiting',
    'decoding',
    'decoding',
  ]);
  expect([...all.pending()]).toEqual([1, 3]);
});

it('files of the same size and sum with other bytes are no duplicates', async () => {
  // Two texts with the same FNV-1a sum of 32 bits.
  const all = inventory();
  await all.add([given('a.lic', 'costarring'), given('b.lic', 'liquid')]);
  await all.add([given('c.lic', 'declinate'), given('d.lic', 'macallums')]);
  expect(new Set(all.items.map(({ content }) => content)).size).toBe(4);
});

it('does not send what the service would refuse, which would count towards the limit', async () => {
  const all = inventory();
  await all.add([given('empty.lic', ''), given('big.lic', new Uint8Array(MAX_FILE_BYTES + 1))]);
  expect(all.items.map(({ state }) => state)).toEqual([
    { name: 'failed', problem: { key: 'emptyFile' }, canRetry: false },
    { name: 'failed', problem: { key: 'tooLarge' }, canRetry: false },
  ]);
  expect(all.nextWaiting()).toBeUndefined();
  await all.add([given('largest.lic', new Uint8Array(MAX_FILE_BYTES))]);
  expect(all.nextWaiting()?.file.name).toBe('largest.lic');
});

it('says of a file that cannot be read that it is gone, and goes on', async () => {
  const all = inventory();
  const gone = new File(['x'], 'gone.lic');
  gone.arrayBuffer = () => Promise.reject(new Error('NotReadableError'));
  await all.add([{ file: gone, folder: '' }, given('a.lic', 'x')]);
  expect(all.items.map(({ state }) => state)).toEqual([
    { name: 'failed', problem: { key: 'fileGone' }, canRetry: true },
    { name: 'waiting' },
  ]);
});
