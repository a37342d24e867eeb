/** ring's name of a license. It contains the PIN code and must not be logged. */
export interface LicenseName {
  /** `<pin>-<registration number>` */
  name: string;
  /** 15 digits, or 16 outside Russia, without hyphens. A PIN code of another form is as ring prints it. */
  pin: string;
  registrationNumber: string;
}

/** The first license that `license list` names, or undefined when it names none. */
export function parseList(text: string): LicenseName | undefined {
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    const name = nameBeforeFile(trimmed) ?? nameWithDigits(trimmed);
    if (name !== undefined) return splitName(name);
  }
  return undefined;
}

/** Becomes an argument of ring, so only digits, Latin letters and single hyphens are accepted. */
const NAME = /^[0-9A-Za-z]+(?:-[0-9A-Za-z]+)+$/;
const MAX_NAME_CHARS = 64;

/**
 * The name before the bracket in which newer versions of ring print the file. It begins the line, or stands behind a
 * label: `Лицензия: 332588056123456-8100123456 (имя файла: "a (1).lic")`. The PIN code may have any form.
 */
function nameBeforeFile(line: string): string | undefined {
  const quote = line.indexOf('"');
  const bracket = line.lastIndexOf('(', quote);
  const hasFile = quote !== -1 && bracket !== -1 && line.endsWith(')');
  if (!hasFile) return undefined;

  const beforeFile = line.slice(0, bracket).trimEnd();
  const label = beforeFile.lastIndexOf(': ');
  const name = label === -1 ? beforeFile : beforeFile.slice(label + 2).trimStart();
  const isName = name.length <= MAX_NAME_CHARS && NAME.test(name);
  return isName ? name : undefined;
}

/** A name whose PIN code has its usual number of digits. Without a file behind it, only that tells it from other words. */
const NAME_WITH_DIGITS = /(?<=^|[\s:])\d{15,16}-[0-9A-Za-z]{1,32}/g;

function nameWithDigits(line: string): string | undefined {
  for (const { 0: name, index } of line.matchAll(NAME_WITH_DIGITS)) {
    const rest = line.slice(index + name.length);
    if (isNothingOrFile(rest.trimStart())) return name;
  }
  return undefined;
}

/** This is not a part of the expression above, whose time would then grow with the square of the line's length. */
function isNothingOrFile(rest: string): boolean {
  if (rest === '') return true;

  return rest.startsWith('(') && rest.endsWith(')');
}

function splitName(name: string): LicenseName {
  const hyphen = name.lastIndexOf('-');
  const printedPin = name.slice(0, hyphen);
  const digits = withoutHyphens(printedPin);
  const pin = isUsualPin(digits) ? digits : printedPin;
  return { name, pin, registrationNumber: name.slice(hyphen + 1) };
}

/** Whether this is a PIN code of 15 or 16 digits. */
export function isUsualPin(digits: string): boolean {
  return /^\d{15,16}$/.test(digits);
}

/** PIN codes are compared in this form, because 1C prints them with hyphens and without. */
export function withoutHyphens(pin: string): string {
  return pin.replaceAll('-', '');
}

/** Formats a PIN code as 1C prints it: 15 digits in threes, 16 digits in fours. One of another form stays as it is. */
export function formatPin(pin: string): string {
  if (!isUsualPin(pin)) return pin;

  const group = pin.length === 16 ? /\d{4}/g : /\d{3}/g;
  const groups = pin.match(group) ?? [];
  return groups.join('-');
}
