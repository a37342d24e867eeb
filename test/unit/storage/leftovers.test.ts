import { lutimesSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { removeLeftovers, removeOwnFiles } from '../../../src/storage/leftovers.js';
import { openTemporaryStorage } from '../../../src/storage/temporary-storage.js';
import { tempDirectory } from '../../support/temp.js';

const SELF = '00000000000a';
const OTHER = '0a1b2c3d4e5f';
const UUID = '5f0c2a34-3f1b-4b0e-9d3a-0f6f3f0a7c11';
const UPLOAD = `upload-${OTHER}-${UUID}`;
const DECODE = `decode-${OTHER}-a1B2c3`;
const MAX_AGE_MS = 60_000;
const CLOCK_MARGIN_MS = 600_000;

/** A directory that looks like UPLOAD_DIR and TMP_BASE in one, whose entries were last changed that long ago. */
async function baseWith(ageMs: number, ...names: string[]): Promise<string> {
  const base = await tempDirectory();
  for (const name of names) {
    const path = join(base, name);
    if (name.startsWith('decode')) {
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
  const removed: string[] = [];
  const write = (line: string) => void removed.push((JSON.parse(line) as { path: string }).path);
  const problem = await removeLeftovers(base, SELF, MAX_AGE_MS, pino({}, { write }));
  return problem === undefined ? removed : [problem];
}

it('removes what a dead process left, with all that is in it, once it is too old for a request', async () => {
  const base = await baseWith(MAX_AGE_MS - 20_000, UPLOAD, DECODE);
  expect(await search(base)).toEqual([]);
  expect(readdirSync(base)).toHaveLength(2);
  for (const name of [UPLOAD, DECODE]) age(join(base, name), MAX_AGE_MS + 1_000);
  expect((await search(base)).sort()).toEqual([join(base, DECODE), join(base, UPLOAD)]);
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

it('the search is repeated, and spares what a request with a late clock may still use', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const [uploads, work] = [await baseWith(0), await baseWith(0)];
  const storage = await openTemporaryStorage({
    UPLOAD_DIR: uploads,
    TMP_BASE: work,
    requestMs: MAX_AGE_MS,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => storage.closeAndRemoveFiles());
  const [young, old] = [join(uploads, UPLOAD), join(work, UPLOAD)];
  for (const path of [young, old]) writeFileSync(path, 'license');
  age(young, CLOCK_MARGIN_MS + MAX_AGE_MS - 20_000);
  age(old, CLOCK_MARGIN_MS + MAX_AGE_MS + 1_000);
  vi.advanceTimersByTime(300_000);
  // UPLOAD_DIR is searched before TMP_BASE.
  await expect.poll(() => [readdirSync(uploads), readdirSync(work)]).toEqual([[UPLOAD], []]);
});

it('takes a directory that is gone for an empty one', async () => {
  expect(await search(join(await tempDirectory(), 'missing'))).toEqual([]);
});

it('the files of this process are removed at its end, and no others', async () => {
  const own = [`upload-${SELF}-${UUID}`, `decode-${SELF}-a1B2c3`];
  const base = await baseWith(0, ...own, UPLOAD, 'report.pdf', DECODE);
  const log = pino({ level: 'silent' });
  removeOwnFiles(join(base, 'missing'), SELF, log);
  removeOwnFiles(base, SELF, log);
  expect(readdirSync(base).sort()).toEqual([DECODE, 'report.pdf', UPLOAD]);
});
