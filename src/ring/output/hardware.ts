import { CUSTOMER_MARKER, lastLines, LICENSE_MARKER, MACHINE_MARKER } from './log-records.js';

/** What the debug record of one license tells: the hardware that it is bound to, and the lines about its customer. */
interface LicenseRecord {
  hardware: string;
  customer: string[];
}

const PREVIOUS_PIN = /^previous pin :\s*(.*)$/;
const PIN = /^\d{15,16}$/;

/**
 * Finds the record of a license. ring opens every license in the directory, some more than once; the record of this
 * one contains its PIN code.
 */
function findLicense(records: readonly string[], pin: string): LicenseRecord | undefined {
  for (const record of records) {
    const begin = record.indexOf(LICENSE_MARKER);
    const end = record.indexOf(`\n${CUSTOMER_MARKER}`);
    if (begin === -1 || end === -1) continue;
    const customer = record
      .slice(end)
      .split('\n')
      .map((line) => line.trim());
    if (!customer.includes(`pin : ${pin}`)) continue;
    return { hardware: lastLines(record.slice(begin + LICENSE_MARKER.length, end)), customer };
  }
  return undefined;
}

/**
 * Cuts the hardware that the license is bound to out of the debug records of `license validate`.
 * @param pin digits only
 * @returns undefined when ring printed no such record
 */
export function licenseHardware(records: readonly string[], pin: string): string | undefined {
  return findLicense(records, pin)?.hardware;
}

/**
 * Finds the PIN code of the license that this one replaced, in the same record.
 * @returns digits only; null when there is none
 */
export function previousPin(records: readonly string[], pin: string): string | null {
  const lines = findLicense(records, pin)?.customer ?? [];
  // The last one: a value of the customer may span lines, and comes before.
  const line = lines.findLast((text) => PREVIOUS_PIN.test(text)) ?? '';
  const digits = PREVIOUS_PIN.exec(line)?.[1]?.replaceAll('-', '') ?? '';
  return PIN.test(digits) ? digits : null;
}

/**
 * Cuts this machine's hardware out of the debug records of `license validate`.
 * @returns undefined when ring printed no such record
 */
export function machineHardware(records: readonly string[]): string | undefined {
  const own = records.find((record) => record.includes(MACHINE_MARKER));
  return own && lastLines(own.slice(own.indexOf(MACHINE_MARKER) + MACHINE_MARKER.length));
}
