/** ring's name of a license: `<pin>-<registration number>`. It contains the PIN code and must not be logged. */
export interface LicenseName {
  name: string;
  /** 15 digits, or 16 outside Russia. */
  pin: string;
}

/**
 * The name in a line of `license list`. A prefix may stand before it: `Лицензия: `. The name becomes an argument of ring,
 * so only digits, Latin letters and one hyphen are accepted. A name with blanks is not found, nor one whose PIN code is
 * printed in groups: the decode then fails with `license_undecodable`.
 */
const NAME = /(?<=^|[\s:])((\d{15,16})-[0-9A-Za-z]{1,32})/g;

/** The first license that `license list` names, or undefined when it names none. */
export function parseList(text: string): LicenseName | undefined {
  for (const line of text.split('\n')) {
    const trimmed = line.trimEnd();
    for (const match of trimmed.matchAll(NAME)) {
      const [name, , pin = ''] = match;
      const rest = trimmed.slice(match.index + name.length);
      if (isNothingOrFile(rest.trimStart())) return { name, pin };
    }
  }
  return undefined;
}

/**
 * Newer versions print the file in brackets after the name. This is not a part of the expression above, whose time would
 * then grow with the square of the line's length.
 */
function isNothingOrFile(rest: string): boolean {
  if (rest === '') return true;

  return rest.startsWith('(') && rest.endsWith(')');
}

/** Formats a PIN code as 1C prints it: 15 digits in threes, 16 digits in fours. */
export function formatPin(pin: string): string {
  const group = pin.length === 16 ? /\d{4}/g : /\d{3}/g;
  const groups = pin.match(group) ?? [];
  return groups.join('-');
}
