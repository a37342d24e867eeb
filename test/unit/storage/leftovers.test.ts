import { lutimesSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { removeLeftovers, removeOwnFiles } from '../../../src/storage/leftovers.js';
import { openTemporaryStorage } from '../../../src/storage/temporary-storage.js';
import { useFakeTime } from '../../support/fake-time.js';
import { recordedLog } from '../../support/recorded-log.js';
import { tempDirectory } from '../../support/temp.js';

const SELF = '00000000000a';
const OTHER = '0a1b2c3d4e5f';
const UUID = '5f0c2a34-3f1b-4b0e-9d3a-0f6f3f0a7c11';
const UPLOAD = `upload-${OTHER}-${UUID}`;
const DECODE = `decode-${OTHER}-a1B2c3`;
const ARCHIVE = `archive-${OTHER}-a1B2c3`;
const SELF_CHECK = `doctor-${OTHER}-a1B2c3`;
const REQUEST_MS = 60_000;
const CLOCK_MARGIN_MS = 600_000;
const MAX_AGE_MS = REQUEST_MS + CLOCK_MARGIN_MS;
const SEARCH_MS = 300_000;

/** A directory that looks like UPLOAD_DIR and TMP_BASE in one, whose entries were last changed that long ago. */
async function baseWith(ageMs: number, ...names: string[]): Promise<string> {
  const base = await tempDirectory();
  for (const name of names) {
    const path = join(base, name);
    const isDirectory = /^(?:decode|archive|doctor)-/.test(name);
    if (isDirectory) {
      mkdirSync(join(path, 'licenses'), { recursive: true });
      writeFileSync(join(path, 'licenses/license.lic'), 'license');
    } else writeFileSync(path, 'license');
    age(path, ageMs);
  }
  return base;
}

function age(path: string, ms: number): void {
  const time = (Date.now() - ms) / 1000;
  lutimesSync(path, time, time);
}

/** One search; the paths that it logs, or the reason why something stayed. */
async function search(base: string): Promise<unknown[]> {
  const { log, lines } = recordedLog();
  const problem = await removeLeftovers(base, SELF, REQUEST_MS, log);
  return problem === undefined ? lines.map(({ path }) => path) : [problem];
}

it('removes what a dead process left, with all that is in it, once it is too old for a request', async () => {
  const names = [ARCHIVE, DECODE, SELF_CHECK, UPLOAD];
  const base = await baseWith(MAX_AGE_MS - 20_000, ...names);
  expect(await search(base)).toEqual([]);
  expect(readdirSync(base)).toHaveLength(names.length);
  for (const name of names) age(join(base, name), MAX_AGE_MS + 1_000);
  expect((await search(base)).sort()).toEqual(names.map((name) => join(base, name)));
  expect(readdirSync(base)).toEqual([]);
});

it('leaves the files of this process and of others alone, whatever the clock says', async () => {
  const names = [
    ...[`upload-${SELF}-${UUID}`, `decode-${SELF}-a1B2c3`, 'report.pdf', 'upload-20240115-report.pdf'],
    ...[
      'decode-2024-results',
      `.upload-${OTHER}-a1B2c3`,
      `${UPLOAD}.pdf`,
      `upload-${OTHER.toUpperCase()}-a1B2c3`,
    ],
  ];
  const base = await baseWith(1e12, ...names);
  expect(await search(base)).toEqual([]);
  expect(readdirSync(base).sort()).toEqual(names.sort());
});

it('leaves what belongs to another user alone', { tags: 'root' }, async () => {
  const base = await baseWith(1e12, DECODE, UPLOAD);
  await chown(join(base, DECODE), 65_534, 65_534);
  expect(await search(base)).toEqual([join(base, UPLOAD)]);
});

it.each([
  ['with a name of ours', DECODE],
  ['in a decode', join(DECODE, 'link')],
])('never follows a symbolic link %s', async (_title, name) => {
  const target = await tempDirectory();
  writeFileSync(join(target, 'precious'), '');
  const base = await tempDirectory();
  mkdirSync(join(base, name, '..'), { recursive: true });
  symlinkSync(target, join(base, name));
  for (const path of new Set([join(base, name), join(base, DECODE)])) age(path, 1e12);
  const { mtimeMs } = statSync(target);
  expect(await search(base)).toEqual([join(base, DECODE)]);
  expect([readdirSync(target), statSync(target).mtimeMs]).toEqual([['precious'], mtimeMs]);
});

/** Opens a storage that ends with the test, and searches an empty directory instead of the system's temporary one. */
async function openStorage(uploads: string, work: string) {
  vi.stubEnv('TMPDIR', await tempDirectory());
  const storage = await openTemporaryStorage({
    UPLOAD_DIR: uploads,
    TMP_BASE: work,
    requestMs: REQUEST_MS,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => {
    storage.closeAndRemoveFiles();
    vi.unstubAllEnvs();
  });
  return storage;
}

it('the search is repeated, and spares what a request with a late clock may still use', async () => {
  useFakeTime('setInterval', 'clearInterval');
  const [uploads, work] = [await baseWith(0), await baseWith(0)];
  await openStorage(uploads, work);
  const [young, old] = [join(uploads, UPLOAD), join(work, UPLOAD)];
  for (const path of [young, old]) writeFileSync(path, 'license');
  age(young, MAX_AGE_MS - 20_000);
  age(old, MAX_AGE_MS + 1_000);
  vi.advanceTimersByTime(SEARCH_MS);
  // UPLOAD_DIR is searched before TMP_BASE.
  await expect.poll(() => [readdirSync(uploads), readdirSync(work)]).toEqual([[UPLOAD], []]);
});

it('the license of a self-check that was killed is removed from the temporary directory of the system', async () => {
  const tmp = await baseWith(MAX_AGE_MS + 1_000, SELF_CHECK);
  const base = await baseWith(0);
  vi.stubEnv('TMPDIR', tmp);
  onTestFinished(() => void vi.unstubAllEnvs());
  const log = pino({ level: 'silent' });
  const options = { UPLOAD_DIR: base, TMP_BASE: base, requestMs: REQUEST_MS, log };
  const storage = await openTemporaryStorage(options);
  storage.closeAndRemoveFiles();
  expect(readdirSync(tmp)).toEqual([]);
});

it('processes that share TMP_BASE keep their archives for as long as they run, and no longer', async () => {
  useFakeTime('setInterval', 'clearInterval', 'Date');
  const base = await baseWith(0, ARCHIVE);
  const storages = [await openStorage(base, base), await openStorage(base, base)];
  const archives: string[] = [];
  for (const storage of storages) archives.push(await storage.newArchive());
  const oldestUse = () => Math.min(...archives.map((path) => statSync(path).mtimeMs));

  for (let ms = 0; ms <= 2 * MAX_AGE_MS; ms += SEARCH_MS) {
    const before = Date.now();
    vi.advanceTimersByTime(SEARCH_MS);
    await expect.poll(oldestUse).toBeGreaterThan(before);
  }
  const names = archives.map((path) => basename(path));
  await expect.poll(() => readdirSync(base).toSorted()).toEqual(names.toSorted());
});

it('takes a directory that is gone for an empty one', async () => {
  expect(await search(join(await tempDirectory(), 'missing'))).toEqual([]);
});

it('the files of this process are removed at its end, and no others', async () => {
  const own = [`upload-${SELF}-${UUID}`, `decode-${SELF}-a1B2c3`, `archive-${SELF}-a1B2c3`];
  const base = await baseWith(0, ...own, UPLOAD, 'report.pdf', DECODE);
  const log = pino({ level: 'silent' });
  removeOwnFiles(join(base, 'missing'), SELF, log);
  removeOwnFiles(base, SELF, log);
  expect(readdirSync(base).sort()).toEqual([DECODE, 'report.pdf', UPLOAD]);
});
