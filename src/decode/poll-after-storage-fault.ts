import type { RequestHandler } from 'express';
import type { InstallationMonitor } from '../ring/installation/monitor.js';

/**
 * Asks for a poll when a decode could not store its file. Only polls decide whether the service is ready, and while all is
 * well the next one may be minutes away.
 */
export function pollAfterStorageFault(monitor: InstallationMonitor): RequestHandler {
  return (_req, res, next) => {
    res.once('close', () => {
      if (res.locals.failure?.code === 'storage_unavailable') monitor.recheck();
    });
    next();
  };
}
