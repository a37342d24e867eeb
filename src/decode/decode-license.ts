import type { Logger } from '../logger.js';
import { formatPin } from '../ring/license-name.js';
import type { Ring, RingContext } from '../ring/ring.js';
import type { DecodeResult } from './result.js';

interface DecodeOptions {
  /** Adds both hardware configurations. */
  detailed: boolean;
  log: Logger;
}

/**
 * Decodes the one licence of the context's directory: its name first, then what it says beside whether it
 * fits this machine. When one of the two fails the other is ended before this throws.
 * @throws what {@link Ring}'s commands throw
 */
export async function decodeLicense(
  ring: Ring,
  context: RingContext,
  options: DecodeOptions,
): Promise<DecodeResult> {
  const license = await ring.list(context);

  const stop = new AbortController();
  const together = { ...context, signal: AbortSignal.any([context.signal, stop.signal]) };
  const info = ring.info(together, license);
  const validate = ring.validate(together, license, options.detailed);
  let licData, validation;
  try {
    [licData, validation] = await Promise.all([info, validate]);
  } catch (error) {
    stop.abort();
    await Promise.allSettled([info, validate]);
    throw error;
  }

  const missing = [
    validation.text === '' && 'the verdict',
    options.detailed && validation.licenseHardware === undefined && "the licence's hardware",
    options.detailed && validation.machineHardware === undefined && "this machine's hardware",
  ].filter((part) => part !== false);
  if (missing.length > 0) {
    options.log.warn(
      { missing },
      'license validate no longer prints what is looked for: is this ring newer than the service?',
    );
  }
  return {
    licName: license.name,
    pinCode: formatPin(license.pin),
    licData,
    validateData: validation.text,
    licHWConfig: options.detailed ? (validation.licenseHardware ?? '') : null,
    currentHWConfig: options.detailed ? (validation.machineHardware ?? '') : null,
  };
}
