/** ring's name of a license: `<pin>-<registration number>`. It contains the PIN code and must not be logged. */
export interface LicenseName {
  name: string;
  /** 15 digits, or 16 outside Russia. */
  pin: string;
}

/**
 * One line of `license list`: the name, in newer versions followed by the file in brackets. The name becomes an
 * argument of ring, so only digits, Latin letters and one hyphen are accepted.
 */
const LIST_LINE = /^((\d{15,16})-[0-9A-Za-z]{1,32})(?:\s*\(.*\))?$/;

/** The first license that `license list` names, or undefined when it names none. */
export function parseList(text: string): LicenseName | undefined {
  for (const line of text.split('\n')) {
    // Not \s*$ in the expression: its time would grow with the square of the blanks.
    const match = LIST_LINE.exec(line.trimEnd());
    if (match?.[1] && match[2]) return { name: match[1], pin: match[2] };
  }
  return undefined;
}

/** Formats a PIN code as 1C prints it: 15 digits in threes, 16 digits in fours. */
export function formatPin(pin: string): string {
  const groups = pin.length === 16 ? /\d{4}/g : /\d{3}/g;
  return (pin.match(groups) ?? []).join('-');
}
