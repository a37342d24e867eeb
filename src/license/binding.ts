import type { StructuredLicense } from './schema.js';

type HardwareList = NonNullable<StructuredLicense['hardware']>['license'];
type Text = string | null | undefined;

const COMPUTER_NAME = /^(?:computer name|имя компьютера)$/i;

/** A hardware key in the binding of the clear text: `HASP ORG8B, client, 500 users`, with `HASP_0:` in another form. */
const HARDWARE_KEY = /^HASP(?:_\d+:|\s)/i;

/** The computer's name in a hardware list; null when the list has none. */
export function computerIn(hardware: HardwareList = []): string | null {
  const parameter = hardware.find(({ name }) => COMPUTER_NAME.test(name));
  return parameter?.values[0] ?? null;
}

/** Whether the binding of the clear text names a hardware key instead of a computer. */
export function isHardwareKey(boundTo: Text): boolean {
  return HARDWARE_KEY.test(boundTo ?? '');
}

/** The computer's name in the binding of the clear text, which begins with it; null when there is none. */
export function boundComputer(boundTo: Text): string | null {
  if (isHardwareKey(boundTo)) return null;

  const [name = ''] = (boundTo ?? '').split(',', 1);
  return name.trim() || null;
}
