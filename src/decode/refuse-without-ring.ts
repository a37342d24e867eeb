import type { RequestHandler } from 'express';
import { HttpError } from '../errors/http-error.js';
import type { InstallationMonitor } from '../ring/installation/monitor.js';

/**
 * Refuses decodes while the last poll found no ring that can decode. They are refused before they count, so an outage
 * costs nobody a decode, and each of them asks for a poll, so its end is noticed soon. Until the first poll has ended,
 * nothing is known of ring: these decodes pass, and wait for that poll before they run ring.
 */
export function refuseWithoutRing(monitor: InstallationMonitor): RequestHandler {
  return (_req, _res, next) => {
    const isMissing = monitor.isPolled && !monitor.isInstalled;
    if (isMissing) {
      monitor.recheck();
      throw new HttpError('ring_unavailable', { detail: 'the last poll found no ring that can decode' });
    }
    next();
  };
}
