import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** The service's log: JSON lines on stdout, times in ISO 8601. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
