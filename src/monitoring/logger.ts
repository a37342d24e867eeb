import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type Logger } from 'pino';

/** Bytes that may wait for a slow reader of stdout. While there are more, lines are dropped. */
const MAX_WAITING_BYTES = 1_048_576;
/** Milliseconds that the last lines get to be written. */
const LAST_LINES_MS = 3_000;

const { stdout, stderr } = process;

/**
 * The service's log: JSON lines on stdout, times in ISO 8601. If the reader of stdout stalls or the disk is full, lines are
 * lost, and nothing else happens. pino's own destination would block the process, or keep it from exiting.
 */
export function createLogger(level: string): Logger {
  // An error without a listener would end the process.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);

  const write = (line: string) => {
    if (stdout.writableLength <= MAX_WAITING_BYTES) stdout.write(line);
  };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** Waits until all lines are written, but only a moment for a slow reader. Lines that it has not read then are lost. */
export async function logWritten(): Promise<void> {
  const written = new Promise((resolve) => stdout.write('', resolve));
  await Promise.race([written, sleep(LAST_LINES_MS)]);
}
