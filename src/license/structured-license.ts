import { readFile } from './file-fields.js';
import { compareHardware } from './hardware-list.js';
import { readInfo } from './info-fields.js';
import type { StructuredLicense } from './schema.js';

/** What is known of a license: ring's output, and the file itself. */
export interface LicenseTexts {
  /** ring's name of the license: `<pin>-<registration number>`. */
  name: string;
  /** Digits only. */
  pin: string;
  /** Digits only; null when there is none, or it was not asked for. */
  previousPin: string | null;
  /** Text of `ring license info`, without log records. */
  info: string;
  /** Whether `ring license validate` ended with exit status 0. */
  valid: boolean;
  /** The first {@link FILE_HEAD_BYTES} of the file. */
  file: Uint8Array;
  /** Both hardware configurations, empty where ring printed none; null when not asked for. */
  hardware: { license: string; current: string } | null;
}

/** Turns the texts of a license into data, however odd they are. The result is as bounded as they are. */
export function structureLicense(texts: LicenseTexts): StructuredLicense {
  const { name, pin, previousPin, info, valid, file: bytes, hardware } = texts;
  const { binding, owner, product, other } = readInfo(info);
  const file = readFile(bytes);
  return {
    pin,
    previousPin,
    registrationNumber: name.slice(name.indexOf('-') + 1),
    valid,
    binding,
    owner,
    product,
    other: [...other, ...file.other],
    file: file.file,
    hardware: hardware && compareHardware(hardware.license, hardware.current),
  };
}
