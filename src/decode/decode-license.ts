import { open } from 'node:fs/promises';
import type { Logger } from 'pino';
import { FILE_HEAD_BYTES } from '../license/clear-text.js';
import { structureLicense } from '../license/structured-license.js';
import type { Validation } from '../ring/commands.js';
import { DOCTOR_HINT, type Ring, type RingContext } from '../ring/ring.js';
import { formatPin, type LicenseName } from '../ring/output/license-name.js';
import type { DecodeResult } from './response-schema.js';

interface DecodeOptions {
  /** Adds both hardware configurations. */
  detailed: boolean;
  /** Adds the content of the license as data. */
  structured: boolean;
  /** Path of the license file. */
  file: string;
  log: Logger;
}

/**
 * Decodes the license in the context's directory: first its name, then in parallel its text and whether it fits this
 * machine.
 * @throws the errors of {@link Ring}'s commands
 */
export async function decodeLicense(
  ring: Ring,
  context: RingContext,
  { detailed, structured, file, log }: DecodeOptions,
): Promise<DecodeResult> {
  // ring may replace the file by a pipe, which blocks whoever opens it, or by a link to another file. So the service
  // reads it before ring runs, and opens nothing that ring could have written.
  const head = structured ? await headOf(file) : undefined;

  const license = await ring.list(context);
  const { info, validation } = await infoAndValidation(ring, context, license, detailed);
  warnAboutMissing(validation, detailed, log);

  const { valid, text, previousPin = null, licenseHardware = '', machineHardware = '' } = validation;
  const result = {
    licName: license.name,
    pinCode: formatPin(license.pin),
    licData: info,
    validateData: text,
    licHWConfig: detailed ? licenseHardware : null,
    currentHWConfig: detailed ? machineHardware : null,
  };
  if (!head) return result;

  const hardware = { license: licenseHardware, current: machineHardware };
  const data = structureLicense({
    pin: license.pin,
    registrationNumber: license.registrationNumber,
    previousPin,
    info,
    valid,
    file: head,
    hardware: detailed ? hardware : null,
  });
  return { ...result, structured: data };
}

/**
 * Runs both side by side: `ringTimeoutMs` in the settings gives each run the time that this leaves it, and one after the
 * other they could outlast the decode. When one of them fails, the other is stopped before this throws.
 */
async function infoAndValidation(ring: Ring, context: RingContext, license: LicenseName, debug: boolean) {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const stoppable = { ...context, signal };
  const infoRun = ring.info(stoppable, license);
  const validateRun = ring.validate(stoppable, license, debug);
  try {
    const [info, validation] = await Promise.all([infoRun, validateRun]);
    return { info, validation };
  } catch (error) {
    stop.abort();
    await Promise.allSettled([infoRun, validateRun]);
    throw error;
  }
}

/** Logs the parts of ring's output that the parsers did not find. A newer ring may print them in another form. */
function warnAboutMissing(validation: Validation, detailed: boolean, log: Logger): void {
  const { valid, licenseHardware, machineHardware } = validation;
  const missing: string[] = [];
  if (valid === null) missing.push('the verdict');
  if (detailed && licenseHardware === undefined) missing.push("the license's hardware");
  if (detailed && machineHardware === undefined) missing.push("this machine's hardware");
  if (missing.length === 0) return;

  log.warn({ missing }, `license validate printed less than expected: ${DOCTOR_HINT}`);
}

/** The beginning of a file, where the clear text of a license is. */
async function headOf(path: string): Promise<Uint8Array> {
  await using file = await open(path);
  const head = Buffer.alloc(FILE_HEAD_BYTES);
  const { bytesRead } = await file.read(head, 0, FILE_HEAD_BYTES, 0);
  return head.subarray(0, bytesRead);
}
