import { CUSTOMER_MARKER, LICENSE_MARKER, MACHINE_MARKER } from './log-records.js';

/** The text of a record between two markers, or undefined when one is missing. */
function between(record: string, begin: string, end?: string): string | undefined {
  const from = record.indexOf(begin);
  if (from === -1) return undefined;
  const rest = record.slice(from + begin.length);
  if (end === undefined) return rest.trim();
  const to = rest.indexOf(end);
  return to === -1 ? undefined : rest.slice(0, to).trim();
}

/**
 * Cuts the hardware that the license is bound to out of the debug records of `license validate`. ring opens every
 * license in the directory, some more than once; the record of this one contains its PIN code.
 * @param pin digits only
 * @returns undefined when ring printed no such record
 */
export function licenseHardware(records: readonly string[], pin: string): string | undefined {
  const own = records.find((record) => {
    const customer = between(record, `\n${CUSTOMER_MARKER}`);
    return (
      record.includes(LICENSE_MARKER) && customer?.split('\n').some((line) => line.trim() === `pin : ${pin}`)
    );
  });
  return own && between(own, LICENSE_MARKER, `\n${CUSTOMER_MARKER}`);
}

/**
 * Cuts this machine's hardware out of the debug records of `license validate`.
 * @returns undefined when ring printed no such record
 */
export function machineHardware(records: readonly string[]): string | undefined {
  const own = records.find((record) => record.includes(MACHINE_MARKER));
  return own && between(own, MACHINE_MARKER);
}
