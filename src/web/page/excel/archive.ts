import { Inflate } from 'fflate';

/** Bytes that are unpacked at once. They may become a thousand times as many before they are counted. */
const STEP = 8192;

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

/** Signature and lengths of the records of a ZIP archive, in bytes (APPNOTE.TXT of PKWARE, section 4.3). */
const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const RECORD_LENGTH = 46;
const HEADER_LENGTH = 30;
/** The compression method of an entry that is not compressed. */
const STORED = 0;

/** A file in an archive. */
interface Entry {
  method: number;
  packed: Uint8Array;
}

/**
 * The texts in a ZIP archive. Each is unpacked when it is asked for, and costs its packed and its unpacked bytes each
 * time: what the archive says of its size may be a lie, and entries may share their bytes.
 * @returns gives the text of a path, in any case; empty when there is none
 * @throws Error when it is no archive
 */
export function openArchive(archive: Uint8Array, spend: Spend): (path: string) => string {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const records = recordsIn(archive, view);
  return (path) => {
    const record = records.get(path.toLowerCase());
    if (record === undefined) return '';
    return unpack(entryAt(record, archive, view), spend);
  };
}

/** Where in the archive's directory each file is described. */
function recordsIn(archive: Uint8Array, view: DataView): Map<string, number> {
  let end = archive.length - END_LENGTH;
  while (view.getUint32(end, true) !== END_OF_DIRECTORY) end -= 1;

  const count = view.getUint16(end + 10, true);
  let record = view.getUint32(end + 16, true);
  const records = new Map<string, number>();
  for (let index = 0; index < count; index++) {
    const nameStart = record + RECORD_LENGTH;
    const nameEnd = nameStart + view.getUint16(record + 28, true);
    const name = new TextDecoder().decode(archive.subarray(nameStart, nameEnd));
    records.set(name.toLowerCase(), record);

    const extraLength = view.getUint16(record + 30, true);
    const commentLength = view.getUint16(record + 32, true);
    record = nameEnd + extraLength + commentLength;
  }
  return records;
}

function entryAt(record: number, archive: Uint8Array, view: DataView): Entry {
  const method = view.getUint16(record + 10, true);
  const packedLength = view.getUint32(record + 20, true);
  const header = view.getUint32(record + 42, true);
  const nameLength = view.getUint16(header + 26, true);
  const extraLength = view.getUint16(header + 28, true);
  const start = header + HEADER_LENGTH + nameLength + extraLength;
  return { method, packed: archive.subarray(start, start + packedLength) };
}

function unpack({ method, packed }: Entry, spend: Spend): string {
  spend(packed.length);
  const decoder = new TextDecoder();
  if (method === STORED) return decoder.decode(packed);

  let text = '';
  const inflate = new Inflate((bytes) => {
    spend(bytes.length);
    text += decoder.decode(bytes, { stream: true });
  });
  for (let start = 0; start < packed.length; start += STEP) {
    const end = start + STEP;
    inflate.push(packed.subarray(start, end), end >= packed.length);
  }
  return text;
}
