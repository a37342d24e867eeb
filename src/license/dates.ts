/** `31.12.2026`, or `2026-12-31` as it is. Null for any other text, and for a day that the calendar does not have. */
export function parseDate(text: string): string | null {
  const date = text.replace(/^(\d{2})\.(\d{2})\.(\d{4})$/, '$3-$2-$1');
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date) && exists(`${date}T00:00:00`);
  return isDate ? date : null;
}

/**
 * A day and a time in either order, such as `12:30:05 03.02.2021` as `2021-02-03T12:30:05`. The hour may have one digit,
 * and seconds may be missing.
 * @returns null for any other text
 */
export function parseTimestamp(text: string): string | null {
  const [first = '', second = '', ...more] = text.split(/\s+/);
  if (more.length > 0) return null;

  const date = parseDate(first) ?? parseDate(second);
  const time = parseTime(first) ?? parseTime(second);
  if (date === null || time === null) return null;

  const timestamp = `${date}T${time}`;
  return exists(timestamp) ? timestamp : null;
}

/** `9:15` as `09:15:00`. It may still be a time that no day has. */
function parseTime(text: string): string | null {
  const match = /^(\d{1,2}:\d{2})(:\d{2})?$/.exec(text);
  if (match === null) return null;

  const [, hoursAndMinutes = '', seconds = ':00'] = match;
  return hoursAndMinutes.padStart(5, '0') + seconds;
}

/** Whether this is a timestamp of a day that the calendar has, unlike `2021-02-31T00:00:00`, which Date corrects. */
function exists(timestamp: string): boolean {
  const date = new Date(`${timestamp}Z`);
  if (Number.isNaN(date.getTime())) return false;
  return date.toISOString() === `${timestamp}.000Z`;
}
