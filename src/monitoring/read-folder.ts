import { closeSync, constants, fstatSync, opendirSync, openSync, readSync, type Dir } from 'node:fs';
import { join } from 'node:path';
import { FILE_HEAD_BYTES, MAX_FILE_BYTES } from '../license/clear-text.js';
import { boundComputer } from '../license/computer.js';
import { readLicenseFile } from '../license/file-fields.js';
import { licenseKind } from '../license/kind.js';

/** License files in a directory. */
const MAX_FILES = 2000;
/** Entries of all kinds that are looked through for license files. */
const MAX_ENTRIES = 100_000;
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
 * Node.js drops the entries of a directory whose names are not UTF-8. Reading the names as bytes avoids that. A path is a
 * string with one character for each of its bytes (latin1), because paths are joined, compared and sorted as strings.
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
 * Finds the license files below a directory.
 * @returns their paths below the root. A directory below it that cannot be read stands for itself: reading it as a file
 * fails too, and tells the reason
 */
function findFiles(root: string): string[] {
  const found: string[] = [];
  const directories = [''];
  let entries = 0;
  // Directories that are found meanwhile are appended, so the loop comes to them too.
  for (const below of directories) {
    try {
      for (const entry of entriesOf(join(root, below))) {
        const path = join(below, entry.name);
        if (entry.isDirectory) {
          directories.push(path);
        } else if (/\.lic$/i.test(path)) {
          found.push(path);
        }

        entries += 1;
        const isTooMuch = found.length > MAX_FILES || entries > MAX_ENTRIES;
        if (isTooMuch) {
          throw new Error('more than 2,000 license files or 100,000 entries. Name smaller directories.');
        }
      }
    } catch (error) {
      const isOfSystem = (error as NodeJS.ErrnoException).code !== undefined;
      if (below === '' || !isOfSystem) throw error;
      found.push(below);
    }
  }
  return found;
}

/** The entries of a directory, one after the other: the names of all at once would fill the memory. */
function* entriesOf(path: string) {
  const directory = opendirSync(toBytes(path), {
    // On file systems that give no types of entries Node.js joins path and name, to look up each type. Then both must be
    // bytes. The types of Node.js lack this encoding.
    encoding: 'buffer' as BufferEncoding,
    // Each read asks for one entry. If one is gone when its type is looked up, all that were read with it are lost.
    bufferSize: 1,
  });
  try {
    for (let entry = nextEntry(directory); entry !== null; entry = nextEntry(directory)) {
      yield { name: fromBytes(Buffer.from(entry.name)), isDirectory: entry.isDirectory() };
    }
  } finally {
    directory.closeSync();
  }
}

/** Reads the next entry, and passes over those that are gone when their type is looked up. */
function nextEntry(directory: Dir) {
  for (;;) {
    try {
      return directory.readSync();
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone) throw error;
    }
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
  const { type, productName: description, productCode, users, validUntil } = file;
  return {
    registrationNumber: short(file.registrationNumber),
    kind: licenseKind({ type, description, productCode }),
    productCode: short(productCode),
    users,
    computer: short(boundComputer(file.boundTo)),
    term: termOf(file),
    validUntil,
  };
}

function termOf({ validUntil, unlimited }: FileFields) {
  if (validUntil !== null) return 'date';
  return unlimited === true ? 'unlimited' : 'unknown';
}
