import { closeSync, constants, fstatSync, opendirSync, openSync, readSync, type Dir } from 'node:fs';
import { join } from 'node:path';
import { FILE_HEAD_BYTES, MAX_FILE_BYTES } from '../license/clear-text.js';
import { boundComputer } from '../license/computer.js';
import { readLicenseFile } from '../license/file-fields.js';
import { licenseKind } from '../license/kind.js';

const MAX_FILES = 2000;
/** Entries that are looked through for them. */
const MAX_ENTRIES = 100_000;
/** Real texts have some tens of characters; 2,000 files must fit into the output that the service accepts. */
const MAX_TEXT_CHARS = 100;
/** A link may lead anywhere, and a FIFO would block. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** The end of a path tells files apart; 2,000 of the longest paths would not fit into that output. */
const MAX_PATH_CHARS = 250;
/** What may have a PIN code in it: 15 digits and more, or groups as 1C prints them, whatever separates these (`#`). */
const PIN = /\d{15,}|\d{3,}(?:#\d{3}){3,}#\d{3,}|\d{4,}(?:#\d{4}){2,}#\d{4,}/.source;
const PINS = new RegExp(PIN.replaceAll('#', String.raw`[\p{Zs}\p{Pd}\u2212._]+`), 'gu');

/** What a license file says in clear text. */
export type License = ReturnType<typeof readFolder>[number];

// File names need not be UTF-8, so paths are strings with a character for each byte.
const toBytes = (path: string) => Buffer.from(path, 'latin1');
const fromBytes = (path: Buffer) => path.toString('latin1');

/**
 * Reads what the license files below a directory say in clear text, sorted by path. Synchronous, because a mount that
 * hangs blocks its reader however it reads.
 * @throws when the directory cannot be opened or holds too much
 */
export function readFolder(dir: string) {
  const root = fromBytes(Buffer.from(dir));
  const paths = findFiles(root).sort();
  const seen = new Map<string, number>();
  return paths.flatMap((path) => {
    const license = readLicense(join(root, path));
    if (license === undefined) return [];
    const masked = toBytes(path)
      .toString()
      .replace(PINS, (pin) => pin.replace(/\d/g, 'x'))
      .slice(-MAX_PATH_CHARS);
    const same = (seen.get(masked) ?? 0) + 1;
    seen.set(masked, same);
    return [{ dir, file: same === 1 ? masked : `${masked} (${same})`, ...license }];
  });
}

/** Paths below the root; of a directory that cannot be read its own, for the error. */
function findFiles(root: string): string[] {
  const found: string[] = [];
  const directories = [''];
  let entries = 0;
  for (const below of directories) {
    let directory: Dir | undefined;
    try {
      // Where the file system gives no types, Node.js joins path and name to look each up, so both are bytes, which the
      // types lack. One at a time: an entry that is gone by then costs all that were read with it.
      const how = { encoding: 'buffer' as BufferEncoding, bufferSize: 1 };
      directory = opendirSync(toBytes(join(root, below)), how);
      for (let entry = nextEntry(directory); entry; entry = nextEntry(directory)) {
        const path = join(below, fromBytes(Buffer.from(entry.name)));
        if (entry.isDirectory()) directories.push(path);
        else if (/\.lic$/i.test(path)) found.push(path);
        if (found.length > MAX_FILES || ++entries > MAX_ENTRIES) {
          throw new Error('more than 2,000 license files or 100,000 entries. Name smaller directories.');
        }
      }
    } catch (error) {
      if (below === '' || (error as NodeJS.ErrnoException).code === undefined) throw error;
      found.push(below);
    } finally {
      directory?.closeSync();
    }
  }
  return found;
}

/** The next one that is not gone; the names of all at once would fill the memory. */
function nextEntry(directory: Dir) {
  for (;;) {
    try {
      return directory.readSync();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

const unreadable = (error: string) => ({ state: 'unreadable', error }) as const;
const short = (text: string | null) => text?.slice(0, MAX_TEXT_CHARS) ?? null;
const head = Buffer.alloc(FILE_HEAD_BYTES);

/** @returns undefined when the file is gone */
function readLicense(path: string) {
  let opened: number | undefined;
  try {
    opened = openSync(toBytes(path), OPEN_FLAGS);
    const stat = fstatSync(opened);
    if (!stat.isFile()) return unreadable('NOT_A_FILE');
    if (stat.size > MAX_FILE_BYTES) return unreadable('TOO_LARGE');
    const bytes = head.subarray(0, readSync(opened, head));
    // White space, and the zeros that a power cut leaves.
    if (bytes.every((byte) => byte <= 0x20)) return unreadable('EMPTY');
    const { file } = readLicenseFile(bytes);
    if (file === null) return { state: 'no_clear_text' } as const;
    const { type, productName: description, productCode, users, validUntil, unlimited } = file;
    return {
      state: 'read',
      registrationNumber: short(file.registrationNumber),
      kind: licenseKind({ type, description, productCode }),
      productCode: short(productCode),
      users,
      computer: short(boundComputer(file.boundTo)),
      term: validUntil !== null ? 'date' : unlimited === true ? 'unlimited' : 'unknown',
      validUntil,
    } as const;
  } catch (error) {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : unreadable(code);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
