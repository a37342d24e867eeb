/** An encoded word of RFC 2047, section 2: `=?utf-8?B?base64?=`, or with `Q` for what resembles quoted-printable. */
const ENCODED_WORD = /=\?[^?\s]+\?([BQ])\?([^?\s]*)\?=/gi;

/** White space between two encoded words, which belongs to neither of them (RFC 2047, section 6.2). */
const BETWEEN_WORDS = /(?<=\?=)\s+(?==\?)/g;

/**
 * Decodes the encoded words of a file name. PowerShell 7.0 to 7.3 sends a name that is not ASCII as such a word, in UTF-8.
 * Words in other charsets are read as UTF-8 too, which garbles their letters but not the ending of the name.
 */
export function decodeEncodedWords(name: string): string {
  const joined = name.replace(BETWEEN_WORDS, '');
  return joined.replace(ENCODED_WORD, (_word, encoding: string, content: string) => {
    const bytes = encoding.toUpperCase() === 'B' ? Buffer.from(content, 'base64') : bytesOfQ(content);
    return bytes.toString('utf8');
  });
}

/** The bytes of a word in the Q encoding: `_` is a space, and `=D0` is the byte 0xD0. */
function bytesOfQ(content: string): Buffer {
  const withSpaces = content.replaceAll('_', ' ');
  const latin1 = withSpaces.replace(/=([\dA-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(latin1, 'latin1');
}
