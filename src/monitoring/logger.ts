import { pino, type Logger } from 'pino';

/** Bytes that may wait for a slow reader of stdout; while there are more, lines are dropped. */
const MAX_WAITING_BYTES = 1_048_576;

const { stdout, stderr } = process;

/**
 * The service's log: JSON lines on stdout, times in ISO 8601. A reader that stalls and a full disk cost lines, and
 * nothing else; pino's own destination blocks the process, or keeps it from exiting.
 */
export function createLogger(level: string): Logger {
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const write = (line: string) => {
    if (stdout.writableLength <= MAX_WAITING_BYTES) stdout.write(line);
  };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
