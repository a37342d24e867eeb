const DATE = /^(\d{2})\.(\d{2})\.(\d{4})$/;
const TIME = /^\d{2}:\d{2}:\d{2}$/;

/** `31.12.2026` as `2026-12-31`; null for any other text, and for a day that the calendar does not have. */
export function parseDate(text: string): string | null {
  const match = DATE.exec(text);
  if (match === null) return null;

  const [, day, month, year] = match;
  const date = `${year}-${month}-${day}`;
  return exists(`${date}T00:00:00`) ? date : null;
}

/** `12:30:05 03.02.2021` or `03.02.2021 12:30:05` as `2021-02-03T12:30:05`; null for any other text. */
export function parseTimestamp(text: string): string | null {
  const parts = text.split(/\s+/);
  if (parts.length !== 2) return null;

  const time = parts.find((part) => TIME.test(part));
  const day = parts.find((part) => DATE.test(part));
  if (time === undefined || day === undefined) return null;

  const date = parseDate(day);
  const timestamp = `${date}T${time}`;
  return exists(timestamp) ? timestamp : null;
}

/** Whether this is a timestamp of a day that the calendar has, unlike `2021-02-31T00:00:00`, which Date corrects. */
function exists(timestamp: string): boolean {
  const date = new Date(`${timestamp}Z`);
  if (Number.isNaN(date.getTime())) return false;
  return date.toISOString() === `${timestamp}.000Z`;
}
