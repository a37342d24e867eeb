import { isUsualPin, withoutHyphens } from './license-name.js';
import { CUSTOMER_MARKER, lastLines, LICENSE_MARKER, MACHINE_MARKER, PIN_KEY } from './log-records.js';

/** Details that only the debug records of `license validate` have. */
export interface DebugDetails {
  /** Hardware that the license is bound to; undefined when ring printed no such record. */
  licenseHardware: string | undefined;
  /** Hardware of this machine; undefined when ring printed no such record. */
  machineHardware: string | undefined;
  /**
   * PIN code of the license that this one replaced, digits only; null when ring printed none, undefined when it printed
   * no such line.
   */
  previousPin: string | null | undefined;
}

const PREVIOUS_PIN_KEY = 'previous pin :';

/**
 * Reads the debug records of `license validate`.
 * @param pin ring prints a record of every license in the directory, and of some more than once; the record of this one
 *   contains its PIN code, with hyphens or without
 */
export function readDebugRecords(records: readonly string[], pin: string): DebugDetails {
  const licenses = records.map((record) => splitLicense(record));
  const license = licenses.find((each) => each?.customer.some((line) => isPinLine(line, pin)));
  return {
    licenseHardware: license?.hardware,
    machineHardware: machineHardwareIn(records),
    previousPin: previousPinIn(license?.customer ?? []),
  };
}

function isPinLine(line: string, pin: string): boolean {
  if (!line.startsWith(PIN_KEY)) return false;

  const printed = line.slice(PIN_KEY.length);
  return withoutHyphens(printed) === withoutHyphens(pin);
}

/** The parts of a license's record: the text of its hardware, and the trimmed lines about its customer. */
interface LicenseRecord {
  hardware: string;
  customer: string[];
}

/** @returns undefined for a record that is not about a license */
function splitLicense(record: string): LicenseRecord | undefined {
  const marker = record.indexOf(LICENSE_MARKER);
  const customerLine = record.indexOf(`\n${CUSTOMER_MARKER}`);
  if (marker === -1 || customerLine === -1) return undefined;

  const hardwareStart = marker + LICENSE_MARKER.length;
  const hardware = record.slice(hardwareStart, customerLine);
  const customer = record.slice(customerLine).split('\n');
  return {
    hardware: lastLines(hardware),
    customer: customer.map((line) => line.trim()),
  };
}

function machineHardwareIn(records: readonly string[]): string | undefined {
  const record = records.find((each) => each.includes(MACHINE_MARKER));
  if (record === undefined) return undefined;

  const start = record.indexOf(MACHINE_MARKER) + MACHINE_MARKER.length;
  return lastLines(record.slice(start));
}

function previousPinIn(customer: readonly string[]): DebugDetails['previousPin'] {
  // The last such line, because a value of the customer may span lines, and comes before it.
  const line = customer.findLast((each) => each.startsWith(PREVIOUS_PIN_KEY));
  if (line === undefined) return undefined;

  const printed = line.slice(PREVIOUS_PIN_KEY.length);
  const pin = withoutHyphens(printed).trim();
  return isUsualPin(pin) ? pin : null;
}
