/*
 * Limits in bytes of JSON, so that any input gives less than 64 KB: 24 values, `other`, two hardware lists and
 * their differences come to 60 KB, the keys to 2 KB. Real licenses need a tenth of it.
 */
const VALUE_BYTES = 1_000;
export const OTHER_BYTES = 8_000;
export const HARDWARE_LIST_BYTES = 8_000;
export const DIFFERENCES_BYTES = 12_000;
/** All values of one hardware parameter. */
export const PARAMETER_BYTES = 4_000;

/** Marks a value that was cut. */
const CUT = '…';
/** A UTF-16 code unit takes at most this many bytes of JSON: `\u0000`. */
const MAX_UNIT_BYTES = 6;

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Cuts a value after 1,000 bytes of JSON, never inside a character. */
export function clip(text: string): string {
  if (text.length * MAX_UNIT_BYTES <= VALUE_BYTES) return text;
  let kept = '';
  let bytes = Buffer.byteLength(CUT);
  for (const character of text) {
    bytes += jsonBytes(character) - '""'.length;
    if (bytes > VALUE_BYTES) return kept + CUT;
    kept += character;
  }
  return text;
}

/** The first items, as many as fit into `maxBytes` of JSON. */
export function takeFitting<Item>(items: Iterable<Item>, maxBytes: number): Item[] {
  const taken: Item[] = [];
  let bytes = '[]'.length;
  for (const item of items) {
    bytes += jsonBytes(item) + ','.length;
    if (bytes > maxBytes) break;
    taken.push(item);
  }
  return taken;
}
