/** Characters of a text that are read. What ring prints about one license takes a few thousand. */
const MAX_CHARS = 64 * 1024;

/** The lines of a text, with LF or CRLF line ends, up to the limit; a line that crosses it is left out. */
export function readLines(text: string): string[] {
  const lines = text
    .slice(0, MAX_CHARS)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  if (text.length > MAX_CHARS) lines.pop();
  return lines;
}
