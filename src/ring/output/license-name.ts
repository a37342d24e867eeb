/** ring's name of a license: `<pin>-<registration number>`. It contains the PIN code and must not be logged. */
export interface LicenseName {
  name: string;
  /** 15 digits, or 16 outside Russia. */
  pin: string;
}

/**
 * The name in a line of `license list`, in newer versions followed by the file in brackets. A prefix may stand before
 * it: `Лицензия: `. The name becomes an argument of ring, so only digits, Latin letters and one hyphen are accepted.
 */
const NAME = /(?<=^|[\s:])((\d{15,16})-[0-9A-Za-z]{1,32})/g;

/** The first license that `license list` names, or undefined when it names none. */
export function parseList(text: string): LicenseName | undefined {
  for (const line of text.split('\n')) {
    for (const match of line.trimEnd().matchAll(NAME)) {
      const [name, , pin = ''] = match;
      // Not in the expression: its time would grow with the square of the line.
      const rest = match.input.slice(match.index + name.length).trimStart();
      if (rest === '' || (rest.startsWith('(') && rest.endsWith(')'))) return { name, pin };
    }
  }
  return undefined;
}

/** Formats a PIN code as 1C prints it: 15 digits in threes, 16 digits in fours. */
export function formatPin(pin: string): string {
  const groups = pin.length === 16 ? /\d{4}/g : /\d{3}/g;
  return (pin.match(groups) ?? []).join('-');
}
