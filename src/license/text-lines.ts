/** The lines of a text, with LF or CRLF line ends and without a byte order mark. */
export const readLines = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
