const UTF8 = new TextDecoder('utf-8');
const WINDOWS_1251 = new TextDecoder('windows-1251');
/** What a decoder puts for a character that is not UTF-8, and that character itself read as windows-1251. */
const REPLACEMENT = '\uFFFD';
const REPLACEMENT_AS_1251 = 'пїЅ';

/**
 * Decodes each line as UTF-8, or as windows-1251 when it is not UTF-8: one bad byte garbles no other line, and the
 * launcher may print UTF-8 above what its JVM prints by an old locale.
 */
export function decodeText(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  const text = UTF8.decode(bytes);
  if (!text.includes(REPLACEMENT)) return { text, isUtf8: true };
  // Both encodings have the same line feeds.
  const other = WINDOWS_1251.decode(bytes).split('\n');
  const lines = text.split('\n').map((line, i) => {
    const as1251 = other[i] ?? '';
    return line.includes(REPLACEMENT) && !as1251.includes(REPLACEMENT_AS_1251) ? as1251 : line;
  });
  const decoded = lines.join('\n');
  return { text: decoded, isUtf8: decoded === text };
}

/** The lines of a text, with LF or CRLF line ends and without a byte order mark. */
export const readLines = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
