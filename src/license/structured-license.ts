import { boundComputer, computerIn, isHardwareKey } from './binding.js';
import { readLicenseFile } from './file-fields.js';
import { compareHardware } from './hardware-list.js';
import { readInfo } from './info-fields.js';
import { licenseKind } from './kind.js';
import type { StructuredLicense } from './schema.js';
import { deriveUsers } from './users.js';

/** The texts about a license: ring's output, and the file itself. */
export interface LicenseTexts {
  /** Digits only, unless ring prints another form. */
  pin: string;
  /** As in ring's name of the license. */
  registrationNumber: string;
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

/** Turns the texts of a license into data, however odd they are. The size of the result is bounded by theirs. */
export function structureLicense(texts: LicenseTexts): StructuredLicense {
  const { file, statedUsers, other: otherInFile } = readLicenseFile(texts.file);
  const info = readInfo(texts.info);
  const { owner, product } = info;
  const hardware = texts.hardware && compareHardware(texts.hardware.license, texts.hardware.current);

  const description = product.description ?? file?.productName ?? null;
  const productCode = product.productCode ?? file?.productCode ?? null;
  const kind = licenseKind([file?.type, product.kind, description], productCode);
  const users = statedUsers ?? deriveUsers({ kind, productCode, text: description });

  const boundToKey = isHardwareKey(file?.boundTo) ? 'hardwareKey' : null;
  const binding = info.binding ?? boundToKey;
  const namedComputer = computerIn(hardware?.license) ?? boundComputer(file?.boundTo);
  const computer = binding === 'hardwareKey' ? null : namedComputer;

  return {
    pin: texts.pin,
    previousPin: texts.previousPin,
    registrationNumber: texts.registrationNumber,
    valid: texts.valid,
    binding,
    computer,
    owner,
    product: { ...product, kind, users },
    other: [...info.other, ...otherInFile],
    file,
    hardware,
  };
}
