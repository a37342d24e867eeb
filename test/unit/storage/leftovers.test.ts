import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { MAX_MISSED, removeLeftovers, removeOwnFiles } from '../../../src/storage/leftovers.js';
import { tempDirectory } from '../../support/temp.js';

const SELF = '00000000000a';
const OTHER = '0a1b2c3d4e5f';
const UPLOAD = `upload-${OTHER}-5f0c2a34-3f1b-4b0e-9d3a-0f6f3f0a7c11`;
const DECODE = `decode-${OTHER}-a1B2c3`;

afterEach(() => {
  vi.useRealTimers();
});

/** Rounds of a process in a directory; the paths that it logs. */
async function rounds(directory: string, count: number, processId = SELF): Promise<string[]> {
  const removed: string[] = [];
  const log = pino(
    {},
    { write: (line: string) => removed.push((JSON.parse(line) as { path: string }).path) },
  );
  for (let i = 0; i < count; i++) await removeLeftovers(directory, processId, log);
  return removed;
}

/** A directory that looks like UPLOAD_DIR and TMP_BASE in one. */
async function baseWith(...names: string[]): Promise<string> {
  const base = await tempDirectory();
  for (const name of names) {
    if (name.startsWith('decode')) {
      mkdirSync(join(base, name, 'licenses'), { recursive: true });
      writeFileSync(join(base, name, 'licenses/license.lic'), 'license');
    } else writeFileSync(join(base, name), 'license');
  }
  return base;
}

const signsOfLife = (base: string) => readdirSync(base).filter((name) => name.startsWith('.alive-'));

it('removes what a dead process left, with all that is in it, and says so', async () => {
  const base = await baseWith(UPLOAD, DECODE);
  expect(await rounds(base, MAX_MISSED)).toEqual([]);
  expect(existsSync(join(base, UPLOAD))).toBe(true);
  expect(await rounds(base, 1)).toEqual([join(base, UPLOAD), join(base, DECODE)]);
  expect(readdirSync(base)).toEqual([`.alive-${SELF}`]);
});

it('goes on where a process stopped that was restarted, however short they live', async () => {
  const base = await baseWith(UPLOAD);
  for (let i = 0; i <= MAX_MISSED; i++) await rounds(base, 1, `${SELF}${i}`);
  expect(existsSync(join(base, UPLOAD))).toBe(false);
});

it('removes the sign of life of a process that left nothing else', async () => {
  const base = await tempDirectory();
  await rounds(base, 1, OTHER);
  await rounds(base, MAX_MISSED + 1);
  expect(signsOfLife(base)).toEqual([`.alive-${SELF}`]);
});

it.each([
  ['goes on as it should', 0],
  ['jumps an hour ahead', 3_600_000],
  ['jumps years ahead', 1e11],
  ['jumps two hours back', -7_200_000],
])('never removes the files of a living process when the time of day %s', async (_title, step) => {
  const base = await baseWith(UPLOAD, DECODE);
  for (let i = 0; i < 3 * MAX_MISSED; i++) {
    // As on hosts that disagree on the time.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (i % 2 ? step : 0) });
    if (i % 10 === 0) await rounds(base, 1, OTHER);
    await rounds(base, 1);
    vi.useRealTimers();
  }
  expect(readdirSync(base).sort()).toEqual([`.alive-${SELF}`, `.alive-${OTHER}`, DECODE, UPLOAD].sort());
});

it('begins anew with a sign of life that is no counter, such as one that was just created', async () => {
  const base = await baseWith(UPLOAD);
  mkdirSync(join(base, `.alive-${OTHER}`));
  await rounds(base, MAX_MISSED);
  expect(existsSync(join(base, UPLOAD))).toBe(true);
});

it('gives its sign of life again after somebody removed it', async () => {
  const base = await tempDirectory();
  await rounds(base, 1);
  rmSync(join(base, `.alive-${SELF}`), { recursive: true });
  await rounds(base, 1);
  expect(signsOfLife(base)).toHaveLength(1);
});

it.each([
  'report.pdf',
  'license-decoder',
  '.upload-0a1b2c3d4e5f-x',
  'my-upload-0a1b2c3d4e5f-x',
  'upload-x-y',
])('leaves %s alone', async (name) => {
  const base = await baseWith(name);
  expect(await rounds(base, MAX_MISSED + 2)).toEqual([]);
  expect(existsSync(join(base, name))).toBe(true);
});

it('leaves what belongs to another user alone', { tags: 'root' }, async () => {
  const base = await baseWith(DECODE, UPLOAD);
  chownSync(join(base, DECODE), 65_534, 65_534);
  expect(await rounds(base, MAX_MISSED + 1)).toEqual([join(base, UPLOAD)]);
  expect(existsSync(join(base, DECODE, 'licenses/license.lic'))).toBe(true);
});

it.each([
  ['with a name of ours', (base: string) => join(base, DECODE)],
  ['in a decode', (base: string) => join(base, DECODE, 'link')],
  ['in place of a sign of life', (base: string) => join(base, `.alive-${OTHER}`)],
])('never follows a symbolic link %s', async (_title, linkIn) => {
  const target = await tempDirectory();
  writeFileSync(join(target, 'precious'), '');
  utimesSync(target, 1e9, 1e9);
  const base = await tempDirectory();
  const link = linkIn(base);
  mkdirSync(join(link, '..'), { recursive: true });
  symlinkSync(target, link);
  await rounds(base, MAX_MISSED + 1);
  expect(readdirSync(target)).toEqual(['precious']);
  expect(readdirSync(base)).toEqual([`.alive-${SELF}`]);
});

it('says why it could not remove something, and goes on', async () => {
  const log = pino({ level: 'silent' });
  expect(await removeLeftovers(join(await tempDirectory(), 'missing'), SELF, log)).toBeUndefined();
  expect(await removeLeftovers('/dev/null', SELF, log)).toBe('ENOTDIR');
});

it('the files of this process are removed at its end, and no others', async () => {
  const base = await baseWith(`upload-${SELF}-x`, UPLOAD, 'report.pdf', `decode-${SELF}-x`, DECODE);
  await rounds(base, 1);
  const log = pino({ level: 'silent' });
  removeOwnFiles(join(base, 'missing'), SELF, log);
  removeOwnFiles(base, SELF, log);
  expect(readdirSync(base).sort()).toEqual([`.alive-${OTHER}`, DECODE, 'report.pdf', UPLOAD]);
});
