import { expect } from 'vitest';
import { structuredLicenseSchema, type StructuredLicense } from '../../../src/license/schema.js';
import { structureLicense, type LicenseTexts } from '../../../src/license/structured-license.js';

const NO_TEXTS: LicenseTexts = {
  pin: '332588056123456',
  registrationNumber: '8100123456',
  previousPin: null,
  info: '',
  valid: true,
  file: new Uint8Array(),
  hardware: null,
};

/** The result, checked against the schema, and against a size that no texts cut out of ring's output exceed. */
export function structure(texts: Partial<LicenseTexts>): StructuredLicense {
  const result = structureLicense({ ...NO_TEXTS, ...texts });
  expect(structuredLicenseSchema.parse(result)).toEqual(result);
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(3_000_000);
  return result;
}
