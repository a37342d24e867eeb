import type { StructuredLicense } from './schema.js';

type HardwareList = NonNullable<StructuredLicense['hardware']>['license'];

/** The computer's name in a hardware list; null when the list has none. */
export const computerIn = (hardware: HardwareList = []): string | null =>
  hardware.find(({ name }) => /^(?:computer name|имя компьютера)$/i.test(name))?.values[0] ?? null;

/** The computer's name in the binding of the clear text, where it comes first; null when it is left out. */
export const boundComputer = (boundTo: string | null | undefined): string | null =>
  /^[^,]*[^,\s]/.exec(boundTo ?? '')?.[0].trim() ?? null;
