const DATE = /^(\d{2})\.(\d{2})\.(\d{4})$/;
const TIME = /^\d{2}:\d{2}:\d{2}$/;

/** Whether this is a timestamp of a day that the calendar has, unlike `2021-02-31T00:00:00`. */
function exists(timestamp: string): boolean {
  const date = new Date(`${timestamp}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${timestamp}.000Z`;
}

/** `31.12.2026` as `2026-12-31`; null for any other text. */
export function parseDate(text: string): string | null {
  const [, day, month, year] = DATE.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return exists(`${date}T00:00:00`) ? date : null;
}

/** `12:30:05 03.02.2021` or `03.02.2021 12:30:05` as `2021-02-03T12:30:05`; null for any other text. */
export function parseTimestamp(text: string): string | null {
  const [first = '', second = '', ...rest] = text.split(/\s+/);
  if (rest.length > 0) return null;
  const [time, day] = TIME.test(first) ? [first, second] : [second, first];
  const timestamp = `${parseDate(day)}T${time}`;
  return exists(timestamp) ? timestamp : null;
}
