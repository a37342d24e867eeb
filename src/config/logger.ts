import { pino, type Logger } from 'pino';

/** The service's log: JSON lines on stdout, times in ISO 8601. */
export function createLogger(level: string): Logger {
  // Written synchronously, so that no line is lost at the exit, and a reader that has gone cannot delay it.
  const stdout = pino.destination({ dest: 1, sync: true });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stdout);
}
