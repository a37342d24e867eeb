import { boundComputer, computerIn } from './computer.js';
import { readLicenseFile } from './file-fields.js';
import { compareHardware } from './hardware-list.js';
import { readInfo } from './info-fields.js';
import { licenseKind } from './kind.js';
import type { StructuredLicense } from './schema.js';

/** What is known of a license: ring's output, and the file itself. */
export interface LicenseTexts {
  /** ring's name of the license: `<pin>-<registration number>`. */
  name: string;
  /** Digits only. */
  pin: string;
  /** Digits only; null when unknown or not asked for. */
  previousPin: string | null;
  /** Text of `ring license info`, without log records. */
  info: string;
  /** The verdict of `ring license validate`; null when it gave none. */
  valid: boolean | null;
  /** The first {@link FILE_HEAD_BYTES} of the file. */
  file: Uint8Array;
  /** Both hardware configurations, empty where ring printed none; null when not asked for. */
  hardware: { license: string; current: string } | null;
}

/** Turns the texts of a license into data, however odd they are. Its size is bounded by theirs. */
export function structureLicense(texts: LicenseTexts): StructuredLicense {
  const { name, pin, previousPin, info, valid, file: bytes, hardware } = texts;
  const { file, other: otherInFile } = readLicenseFile(bytes);
  const { binding, owner, product, other } = readInfo(info, file?.productCode);
  const bound = hardware && compareHardware(hardware.license, hardware.current);
  const productCode = product.productCode ?? file?.productCode;
  const description = product.description ?? file?.productName;
  const kind = licenseKind({ type: file?.type, description, productCode });
  return {
    pin,
    previousPin,
    registrationNumber: name.slice(name.indexOf('-') + 1),
    valid,
    binding,
    computer: binding === 'hardwareKey' ? null : (computerIn(bound?.license) ?? boundComputer(file?.boundTo)),
    owner,
    product: { ...product, kind },
    other: [...other, ...otherInFile],
    file,
    hardware: bound,
  };
}
