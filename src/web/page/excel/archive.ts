import { Inflate } from 'fflate';

/** Bytes that are unpacked at once, to a thousand times as many at most. */
const STEP = 8192;

export class TooLargeError extends Error {}

/** Counts what something costs, in all. */
export type Spend = (cost: number) => void;

/** @returns throws a {@link TooLargeError} when more is spent */
export function budget(left: number): Spend {
  return (cost) => {
    left -= cost;
    if (left < 0) throw new TooLargeError();
  };
}

/**
 * The texts in a ZIP archive (APPNOTE.TXT of PKWARE). Each is unpacked when it is asked for, and costs its packed and its
 * unpacked bytes each time, whatever the archive says of its size and wherever it lies.
 * @returns gives the text of a path, in any case; empty when there is none
 * @throws Error when it is no archive
 */
export function openArchive(archive: Uint8Array, spend: Spend): (path: string) => string {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const records = new Map<string, number>();
  let end = archive.length - 22;
  while (view.getUint32(end, true) !== 0x06054b50) end -= 1;
  let record = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    const name = record + 46;
    const nameEnd = name + view.getUint16(record + 28, true);
    records.set(new TextDecoder().decode(archive.subarray(name, nameEnd)).toLowerCase(), record);
    record = nameEnd + view.getUint16(record + 30, true) + view.getUint16(record + 32, true);
  }
  return (path) => {
    const record = records.get(path.toLowerCase());
    if (record === undefined) return '';
    const header = view.getUint32(record + 42, true);
    const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const packed = archive.subarray(start, start + view.getUint32(record + 20, true));
    spend(packed.length);
    const decoder = new TextDecoder();
    if (view.getUint16(record + 10, true) === 0) return decoder.decode(packed);
    let text = '';
    const inflate = new Inflate((bytes) => {
      spend(bytes.length);
      text += decoder.decode(bytes, { stream: true });
    });
    for (let at = 0; at < packed.length; at += STEP)
      inflate.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
    return text;
  };
}
