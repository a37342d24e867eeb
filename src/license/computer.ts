import type { StructuredLicense } from './schema.js';

type HardwareList = NonNullable<StructuredLicense['hardware']>['license'];

const COMPUTER_NAME = /^(?:computer name|имя компьютера)$/i;

/** The computer's name in a hardware list; null when the list has none. */
export function computerIn(hardware: HardwareList = []): string | null {
  const parameter = hardware.find(({ name }) => COMPUTER_NAME.test(name));
  return parameter?.values[0] ?? null;
}

/** The computer's name in the binding of the clear text, which begins with it; null when it is left out. */
export function boundComputer(boundTo: string | null | undefined): string | null {
  const [name = ''] = (boundTo ?? '').split(',', 1);
  return name.trim() || null;
}
