import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { lutimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import {
  DECODE_PREFIX,
  removeLeftovers,
  removeOwnFiles,
  UPLOAD_PREFIX,
} from '../../../src/storage/leftovers.js';
import { tempDirectory } from '../../support/temp.js';

const MAX_AGE_MS = 60_000;
const OLD_MS = MAX_AGE_MS + 5_000;

interface LogLine {
  path?: string;
}

async function sweep(...directories: string[]): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as LogLine) });
  await removeLeftovers(directories, MAX_AGE_MS, log);
  return lines;
}

/** Sets when the entry was last changed; of a link, not of what it points to. */
async function age(path: string, ms: number): Promise<void> {
  const time = (Date.now() - ms) / 1000;
  await lutimes(path, time, time);
}

/** A base that looks like UPLOAD_DIR and TMP_BASE in one, and what is done to make its entries. */
async function baseWith(name: string, kind: 'file' | 'directory', ms = OLD_MS) {
  const base = await tempDirectory();
  const path = join(base, name);
  if (kind === 'file') writeFileSync(path, 'license');
  else {
    mkdirSync(join(path, 'licenses'), { recursive: true });
    writeFileSync(join(path, 'licenses/license.lic'), 'license');
  }
  await age(path, ms);
  return { base, path };
}

const UPLOAD = 'upload-0a1b2c3d4e5f-5f0c2a34-3f1b-4b0e-9d3a-0f6f3f0a7c11';
const DECODE = 'decode-0a1b2c3d4e5f-a1B2c3';

it.each([
  [UPLOAD, 'file'],
  [DECODE, 'directory'],
] as const)('removes %s, an old %s, with all that is in it, and says so', async (name, kind) => {
  const { base, path } = await baseWith(name, kind);
  expect(await sweep(base)).toMatchObject([{ path }]);
  expect(readdirSync(base)).toEqual([]);
});

it.each([
  ['a young upload', UPLOAD, 'file', 1_000],
  ['a young decode', DECODE, 'directory', 1_000],
  ['an upload from the future', UPLOAD, 'file', -3_600_000],
  ["a stranger's file", 'report.pdf', 'file', OLD_MS],
  ["a stranger's directory", 'license-decoder', 'directory', OLD_MS],
  ['a hidden file', '.upload-x', 'file', OLD_MS],
  ['a name that only contains ours', 'my-upload-x', 'file', OLD_MS],
] as const)('leaves %s alone', async (_title, name, kind, ms) => {
  const { base, path } = await baseWith(name, kind, ms);
  expect(await sweep(base)).toEqual([]);
  expect(existsSync(path)).toBe(true);
});

it('leaves what belongs to another user alone', { tags: 'root' }, async () => {
  const { base, path } = await baseWith(DECODE, 'directory');
  chownSync(path, 65_534, 65_534);
  expect(await sweep(base)).toEqual([]);
  expect(existsSync(join(path, 'licenses/license.lic'))).toBe(true);
});

it.each([
  ['with a name of ours', (base: string) => join(base, DECODE)],
  ['in a decode', (base: string) => join(base, DECODE, 'link')],
])('never follows a symbolic link %s', async (_title, linkIn) => {
  const target = await tempDirectory();
  writeFileSync(join(target, 'precious'), '');
  const base = await tempDirectory();
  const link = linkIn(base);
  mkdirSync(join(link, '..'), { recursive: true });
  symlinkSync(target, link);
  await age(link, OLD_MS);
  await age(join(base, DECODE), OLD_MS);
  await sweep(base);
  expect(readdirSync(target)).toEqual(['precious']);
});

it('goes on after a directory that is not there', async () => {
  const { base } = await baseWith(UPLOAD, 'file');
  await sweep(join(base, 'missing'), base);
  expect(readdirSync(base)).toEqual([]);
});

it('the files of this process are removed at its end, whatever their age, and no others', async () => {
  const base = await tempDirectory();
  for (const name of [`${UPLOAD_PREFIX}x`, UPLOAD, 'report.pdf']) writeFileSync(join(base, name), '');
  for (const name of [`${DECODE_PREFIX}x`, DECODE])
    mkdirSync(join(base, name, 'licenses'), { recursive: true });
  removeOwnFiles([join(base, 'missing'), base], pino({ level: 'silent' }));
  expect(readdirSync(base).sort()).toEqual([DECODE, 'report.pdf', UPLOAD]);
});
