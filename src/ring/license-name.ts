/** ring's name of a licence: `<pin>-<registration number>`. It holds the PIN code and must not be logged. */
export interface LicenseName {
  name: string;
  /** 15 digits, or 16 outside Russia. */
  pin: string;
}

/**
 * One line of `license list`: the name, then in newer versions the file in brackets. The name becomes an
 * argument of ring's command line, so nothing but digits, Latin letters and one hyphen gets through.
 */
const LIST_LINE = /^((\d{15,16})-[0-9A-Za-z]{1,32})\s*(?:\(.*\))?\s*$/;

/** The first licence that `license list` names in its text, or undefined when it names none. */
export function parseList(text: string): LicenseName | undefined {
  for (const line of text.split('\n')) {
    const match = LIST_LINE.exec(line);
    if (match?.[1] && match[2]) return { name: match[1], pin: match[2] };
  }
  return undefined;
}

/** Writes a PIN code the way 1C prints it: 15 digits in threes, 16 digits in fours. */
export function formatPin(pin: string): string {
  const groups = pin.length === 16 ? /\d{4}/g : /\d{3}/g;
  return (pin.match(groups) ?? []).join('-');
}
