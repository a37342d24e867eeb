import { pino } from 'pino';

/** A log, and what it was told so far. */
export function recordedLog() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = pino({ base: null }, { write });
  return { log, lines };
}
