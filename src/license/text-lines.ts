const UTF8 = new TextDecoder('utf-8');
const WINDOWS_1251 = new TextDecoder('windows-1251');
/** The character that a decoder puts in the place of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';
/** The bytes of that character itself, read as windows-1251. */
const REPLACEMENT_AS_1251 = 'пїЅ';

/**
 * Decodes each line as UTF-8, or as windows-1251 when it is not UTF-8. One bad byte thus garbles no other line, and the
 * launcher may print UTF-8 while its JVM prints by an old locale.
 */
export function decodeText(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  const asUtf8 = UTF8.decode(bytes);
  if (!asUtf8.includes(REPLACEMENT)) return { text: asUtf8, isUtf8: true };

  // Both encodings have the same line feeds, so the lines have the same numbers.
  const linesAs1251 = WINDOWS_1251.decode(bytes).split('\n');
  const lines = asUtf8.split('\n').map((line, i) => {
    if (!line.includes(REPLACEMENT)) return line;
    const as1251 = linesAs1251[i] ?? '';
    // The bytes may be a proper replacement character, which an earlier program has put there.
    return as1251.includes(REPLACEMENT_AS_1251) ? line : as1251;
  });
  const text = lines.join('\n');
  return { text, isUtf8: text === asUtf8 };
}

/** The lines of a text, with LF or CRLF line ends and without a byte order mark. */
export function readLines(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}
