import { Unzip, UnzipInflate, type UnzipFile } from 'fflate';

/** Bytes of an archive that are unpacked in one go. They may become 8 MB before the budget stops it. */
const STEP = 8192;
/** A workbook has one for each tab, and some ten besides. */
const MAX_FILES = 1000;

export class TooLargeError extends Error {}

/** Takes a cost from a budget. Throws a {@link TooLargeError} when too little is left of it. */
export type Spend = (cost: number) => void;

export function budget(total: number): Spend {
  let left = total;
  return (cost) => {
    left -= cost;
    if (left < 0) throw new TooLargeError();
  };
}

/**
 * The texts in a ZIP archive. Each is unpacked when it is asked for, and costs the bytes that it turns out to have: what
 * the archive says of its size may be a lie. It can be had once, so that no text is unpacked a thousand times.
 * @returns gives the text of a path, in any case; empty when there is none
 */
export function openArchive(archive: Uint8Array, spend: Spend): (path: string) => string {
  const spendFile = budget(MAX_FILES);
  const files = new Map<string, UnzipFile>();
  const unzip = new Unzip((file) => {
    spendFile(1);
    files.set(file.name.toLowerCase(), file);
  });
  unzip.register(UnzipInflate);

  for (let start = 0; start < archive.length; start += STEP) {
    const end = start + STEP;
    const isLast = end >= archive.length;
    unzip.push(archive.subarray(start, end), isLast);
  }

  return (path) => {
    const name = path.toLowerCase();
    const file = files.get(name);
    files.delete(name);
    return file ? unpack(file, spend) : '';
  };
}

function unpack(file: UnzipFile, spend: Spend): string {
  const decoder = new TextDecoder();
  let text = '';
  file.ondata = (error, bytes) => {
    if (error) throw error;
    spend(bytes.length);
    text += decoder.decode(bytes, { stream: true });
  };
  file.start();
  return text;
}
