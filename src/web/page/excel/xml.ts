/** A tag of an XML text, and the text up to the next one. */
export interface Tag {
  /** Without its prefix; that of an end tag begins with a slash. */
  name: string;
  /** All that stands between the angle brackets. */
  tag: string;
  text: string;
}

/** The name at the beginning of a tag, with the slash of an end tag and without its prefix. */
const TAG_NAME = /^(?<slash>\/?)(?:\w+:)?(?<name>\w+).*$/s;

/** The tags of an XML text, one after the other. The time grows with the length of the text, also if it is broken. */
export function* tagsOf(xml: string): Generator<Tag> {
  let start = xml.indexOf('<');
  while (start >= 0) {
    const end = xml.indexOf('>', start);
    if (end < 0) return;

    const next = xml.indexOf('<', end);
    const tag = xml.slice(start + 1, end);
    const name = tag.replace(TAG_NAME, '$<slash>$<name>');
    const text = next < 0 ? '' : xml.slice(end + 1, next);
    yield { name, tag, text };
    start = next;
  }
}

/** The value of an attribute; empty when there is none. */
export function attributeOf(tag: string, name: string): string {
  const attribute = new RegExp(`\\b${name}="([^"]*)"`).exec(tag);
  return attribute?.[1] ?? '';
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Each character in one step: `&amp;#65;` is the text `&#65;`, and not the letter that this stands for. */
const REFERENCE = /&(?:\w+|#\d{1,6}|#x[\da-f]{1,5});/gi;
/** A character that Excel writes by its number. */
const ESCAPED = /_x([\da-f]{4})_/gi;
const HEX = 16;

/** What XML (`&lt;`, `&#65;`, `&#x41;`) and Excel (`_x000D_`) write in place of characters. */
export function unescape(text: string): string {
  return text
    .replace(REFERENCE, characterOf)
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(parseInt(hex, HEX)));
}

function characterOf(reference: string): string {
  const name = reference.slice(1, -1);
  if (!name.startsWith('#')) return ENTITIES.get(name) ?? reference;

  const isHex = /^#x/i.test(name);
  const code = isHex ? parseInt(name.slice(2), HEX) : Number(name.slice(1));
  return String.fromCodePoint(code);
}
