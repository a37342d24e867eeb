import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_HEAD_BYTES, MAX_FILE_BYTES } from '../license/clear-text.js';
import { boundComputer } from '../license/binding.js';
import { readLicenseFile } from '../license/file-fields.js';
import { licenseKind } from '../license/kind.js';

/** License files in a directory. */
const MAX_FILES = 2000;
/** Entries of all kinds that are looked through for license files. */
const MAX_ENTRIES = 100_000;
const TOO_MUCH = 'more than 2,000 license files or 100,000 entries. Name smaller directories.';
/** Real texts have some tens of characters. All of 2,000 files must fit into the output that the service accepts. */
const MAX_TEXT_CHARS = 100;
/** Of a longer path the end is kept, which tells files apart: 2,000 of the longest paths would not fit either. */
const MAX_PATH_CHARS = 250;
/** Links are not followed, because they may lead anywhere. Without O_NONBLOCK, opening a FIFO would wait for a writer. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Spaces, dashes of all kinds, dots and underscores, as they stand between the groups of a PIN code. */
const SEPARATORS = String.raw`[\p{Zs}\p{Pd}\u2212._]+`;
/** A PIN code has 15 or 16 digits, and 1C prints it in groups of three or four. Any such number is masked. */
const PIN_CODES = new RegExp(
  [
    String.raw`\d{15,}`,
    String.raw`\d{3,}(?:${SEPARATORS}\d{3}){3,}${SEPARATORS}\d{3,}`,
    String.raw`\d{4,}(?:${SEPARATORS}\d{4}){2,}${SEPARATORS}\d{4,}`,
  ].join('|'),
  'gu',
);

type FileFields = NonNullable<ReturnType<typeof readLicenseFile>['file']>;

/** A license file, and the fields of its clear text. */
export type License = ReturnType<typeof readFolder>[number];

/*
 * Names need not be UTF-8, and a file could not be opened by a name that was decoded wrongly. So a path is a string with
 * one character for each of its bytes (latin1), because paths are joined, compared and sorted as strings.
 */
const toBytes = (path: string) => Buffer.from(path, 'latin1');
const fromBytes = (path: Buffer) => path.toString('latin1');

/**
 * Reads the clear text of the license files below a directory, sorted by path. Synchronous, because a mount that hangs
 * blocks its reader however it reads.
 * @throws when the directory cannot be opened or holds too much
 */
export function readFolder(dir: string) {
  const root = fromBytes(Buffer.from(dir));
  const paths = findFiles(root).sort();

  const numbering = new Map<string, number>();
  return paths.flatMap((path) => {
    const license = readLicense(join(root, path));
    if (license === undefined) return [];

    const file = numbered(shownPath(path), numbering);
    return [{ dir, file, ...license }];
  });
}

/**
 * Masked and cut, two paths may be the same. A number after the second and later ones tells them apart.
 * @param numbering how often each path has come so far
 */
function numbered(path: string, numbering: Map<string, number>): string {
  const before = numbering.get(path) ?? 0;
  const count = before + 1;
  numbering.set(path, count);
  return count === 1 ? path : `${path} (${count})`;
}

/** The end of a path, without the PIN codes that people write into names. */
function shownPath(path: string): string {
  const text = toBytes(path).toString();
  const masked = text.replace(PIN_CODES, (pin) => pin.replace(/\d/g, 'x'));
  return masked.slice(-MAX_PATH_CHARS);
}

/**
 * Finds the license files below a directory. A subdirectory that cannot be read is returned in the place of its files:
 * it is then opened as if it were a file, which fails as well, so it is shown as unreadable.
 * @returns paths below the root
 */
function findFiles(root: string): string[] {
  const found: string[] = [];
  const directories = [''];
  let entries = 0;
  // Directories that are found meanwhile are appended, so the loop comes to them too.
  for (const below of directories) {
    let names: Buffer[];
    try {
      names = readdirSync(toBytes(join(root, below)), 'buffer');
    } catch (error) {
      if (below === '') throw error;
      found.push(below);
      continue;
    }

    entries += names.length;
    if (entries > MAX_ENTRIES) throw new Error(TOO_MUCH);

    for (const name of names) {
      const path = join(below, fromBytes(name));
      if (isDirectory(join(root, path))) {
        directories.push(path);
      } else if (/\.lic$/i.test(path)) {
        found.push(path);
      }
    }
    if (found.length > MAX_FILES) throw new Error(TOO_MUCH);
  }
  return found;
}

/** False for a link, and for what cannot be looked up, such as a file that is gone by now. */
function isDirectory(path: string): boolean {
  try {
    return lstatSync(toBytes(path)).isDirectory();
  } catch {
    return false;
  }
}

const unreadable = (error: string) => ({ state: 'unreadable', error }) as const;
const short = (text: string | null) => text?.slice(0, MAX_TEXT_CHARS) ?? null;

/** Holds the beginning of one file after the other. */
const buffer = Buffer.alloc(FILE_HEAD_BYTES);

/** @returns undefined when the file is gone */
function readLicense(path: string) {
  let opened: number | undefined;
  try {
    opened = openSync(toBytes(path), OPEN_FLAGS);
    return readOpened(opened);
  } catch (error) {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : unreadable(code);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function readOpened(opened: number) {
  const stat = fstatSync(opened);
  if (!stat.isFile()) return unreadable('NOT_A_FILE');
  if (stat.size > MAX_FILE_BYTES) return unreadable('TOO_LARGE');

  const size = readSync(opened, buffer);
  const head = buffer.subarray(0, size);
  // White space, and the zeros that a power cut leaves.
  const isEmpty = head.every((byte) => byte <= 0x20);
  if (isEmpty) return unreadable('EMPTY');

  const { file } = readLicenseFile(head);
  if (file === null) return { state: 'no_clear_text' } as const;
  return { state: 'read', ...describe(file) } as const;
}

/** The fields of a license that are shown. Owner and PIN code are not. */
function describe(file: FileFields) {
  const { type, productName, productCode, users, validUntil, validUntilTime } = file;
  return {
    registrationNumber: short(file.registrationNumber),
    kind: licenseKind([type, productName], productCode),
    productCode: short(productCode),
    users,
    computer: short(boundComputer(file.boundTo)),
    term: termOf(file),
    validUntil,
    validUntilTime,
  };
}

function termOf({ validUntil, unlimited }: FileFields) {
  if (validUntil !== null) return 'date';
  return unlimited === true ? 'unlimited' : 'unknown';
}
