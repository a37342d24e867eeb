import type { StructuredLicense } from './schema.js';
import { readLines } from './text-lines.js';

type Hardware = NonNullable<StructuredLicense['hardware']>;

/** Values by parameter, both in the order of the text. */
type Parameters = Map<string, string[]>;

/** Parses two hardware lists and finds their differences. */
export function compareHardware(licenseText: string, currentText: string): Hardware {
  const license = parseHardware(licenseText);
  const current = parseHardware(currentText);
  return {
    license: entries(license),
    current: entries(current),
    differences: differences(license, current),
  };
}

function differences(license: Parameters, current: Parameters): Hardware['differences'] {
  const names = new Set([...license.keys(), ...current.keys()]);
  const found: Hardware['differences'] = [];
  for (const name of names) {
    const inLicense = license.get(name) ?? [];
    const inCurrent = current.get(name) ?? [];
    const onlyInLicense = subtract(inLicense, inCurrent);
    const onlyInCurrent = subtract(inCurrent, inLicense);
    const areSame = onlyInLicense.length === 0 && onlyInCurrent.length === 0;
    if (!areSame) found.push({ name, onlyInLicense, onlyInCurrent });
  }
  return found;
}

/** Parses `name : value` lines. A line without a name continues the value before it. Empty values are dropped. */
function parseHardware(text: string): Parameters {
  const parameters: Parameters = new Map();
  let current: string[] = [];
  for (const line of readLines(text)) {
    const trimmed = line.trim();
    if (trimmed === '') continue;

    const colon = colonIn(trimmed);
    if (colon === -1 && parameters.size > 0) {
      const begun = current.pop() ?? '';
      current.push(`${begun} ${trimmed}`.trim());
      continue;
    }

    const name = colon === -1 ? '' : trimmed.slice(0, colon).trim();
    const value = trimmed.slice(colon + 1);
    current = parameters.get(name) ?? [];
    current.push(value.trim());
    parameters.set(name, current);
  }
  return withoutEmptyValues(parameters);
}

/** The platform's own form, `Phys mem_0: 1`, in which only a number before the colon tells a name from a value. */
const NUMBERED_NAME = /^[^:]*_\d+(?=:(?:\s|$))/;
const COLON_AFTER_BLANK = /(?<=\s):(?:\s|$)/;

/** The colon that ends the name of a parameter; -1 when the line has no name. */
function colonIn(line: string): number {
  const numberedName = NUMBERED_NAME.exec(line)?.[0];
  return numberedName?.length ?? line.search(COLON_AFTER_BLANK);
}

function withoutEmptyValues(parameters: Parameters): Parameters {
  const result: Parameters = new Map();
  for (const [name, values] of parameters) {
    const filled = values.filter((value) => value !== '');
    result.set(name, filled);
  }
  return result;
}

/**
 * The values of the first list without those of the second. Each value of the second list removes one equal value only:
 * of two equal disks one may be gone.
 */
function subtract(values: readonly string[], others: readonly string[]): string[] {
  const unmatched = [...others];
  const rest: string[] = [];
  for (const value of values) {
    const match = unmatched.indexOf(value);
    if (match === -1) {
      rest.push(value);
    } else {
      unmatched.splice(match, 1);
    }
  }
  return rest;
}

function entries(parameters: Parameters): Hardware['license'] {
  return Array.from(parameters, ([name, values]) => ({ name, values }));
}
