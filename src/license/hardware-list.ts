import type { StructuredLicense } from './schema.js';
import { readLines } from './text-lines.js';

type Hardware = NonNullable<StructuredLicense['hardware']>;

/** Values by parameter, both in the order of the text. */
type Parameters = Map<string, string[]>;

/** Parses two hardware lists and finds what differs. */
export function compareHardware(licenseText: string, currentText: string): Hardware {
  const license = parseHardware(licenseText);
  const current = parseHardware(currentText);
  const differences = [...new Set([...license.keys(), ...current.keys()])]
    .map((name) => ({
      name,
      onlyInLicense: subtract(license.get(name), current.get(name)),
      onlyInCurrent: subtract(current.get(name), license.get(name)),
    }))
    .filter(({ onlyInLicense, onlyInCurrent }) => onlyInLicense.length + onlyInCurrent.length > 0);
  return { license: entries(license), current: entries(current), differences };
}

/** The platform's own form, `Phys mem_0: 1`, in which only a number before the colon tells a name from a value. */
const NUMBERED_NAME = /^[^:]*_\d+(?=:(?:\s|$))/;

/** Parses `name : value` lines. A line without a name continues the value before; empty values are dropped. */
function parseHardware(text: string): Parameters {
  const parameters: Parameters = new Map();
  let current: string[] = [];
  for (const line of readLines(text).map((line) => line.trim())) {
    if (line === '') continue;
    const colon = NUMBERED_NAME.exec(line)?.[0].length ?? line.search(/(?<=\s):(?:\s|$)/);
    if (colon === -1 && parameters.size > 0) {
      const value = current.pop();
      current.push(value ? `${value} ${line}` : line);
      continue;
    }
    const name = line.slice(0, Math.max(colon, 0)).trim();
    const value = line.slice(colon + 1).trim();
    current = parameters.get(name) ?? [];
    current.push(value);
    parameters.set(name, current);
  }
  for (const [name, values] of parameters) parameters.set(name, values.filter(Boolean));
  return parameters;
}

/** The values of the first list without as many equal ones as the second has: of two equal disks one may be gone. */
function subtract(values: string[] = [], others: string[] = []): string[] {
  const left = [...others];
  return values.filter((value) => {
    const index = left.indexOf(value);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

const entries = (parameters: Parameters): Hardware['license'] =>
  Array.from(parameters, ([name, values]) => ({ name, values }));
