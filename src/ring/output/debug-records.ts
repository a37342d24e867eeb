import { CUSTOMER_MARKER, lastLines, LICENSE_MARKER, MACHINE_MARKER } from './log-records.js';

/** What only the debug records of `license validate` tell. */
export interface DebugDetails {
  /** Hardware that the license is bound to; undefined when ring printed no such record. */
  licenseHardware: string | undefined;
  /** Hardware of this machine; undefined when ring printed no such record. */
  machineHardware: string | undefined;
  /** PIN code of the license that this one replaced, digits only; null when there is none. */
  previousPin: string | null;
}

/**
 * Reads the debug records of `license validate`.
 * @param pin digits only. ring opens every license in the directory, some more than once; the record of this one
 *   contains its PIN code.
 */
export function readDebugRecords(records: readonly string[], pin: string): DebugDetails {
  const license = records
    .map((record) => splitLicense(record))
    .find(({ customer }) => customer.includes(`pin : ${pin}`));
  // The last one: a value of the customer may span lines, and comes before.
  const previous = license?.customer.findLast((line) => line.startsWith('previous pin :')) ?? '';
  const machine = records.find((record) => record.includes(MACHINE_MARKER));
  return {
    licenseHardware: license?.hardware,
    machineHardware:
      machine && lastLines(machine.slice(machine.indexOf(MACHINE_MARKER) + MACHINE_MARKER.length)),
    previousPin: /^previous pin :\s*(\d{15,16})$/.exec(previous.replaceAll('-', ''))?.[1] ?? null,
  };
}

/** The hardware in the record of a license, and the lines about its customer; none in other records. */
function splitLicense(record: string): { hardware: string; customer: string[] } {
  const begin = record.indexOf(LICENSE_MARKER);
  const end = record.indexOf(`\n${CUSTOMER_MARKER}`);
  if (begin === -1 || end === -1) return { hardware: '', customer: [] };
  const customer = record.slice(end).split('\n');
  return {
    hardware: lastLines(record.slice(begin + LICENSE_MARKER.length, end)),
    customer: customer.map((line) => line.trim()),
  };
}
