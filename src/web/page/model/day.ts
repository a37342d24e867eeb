const DAY_MS = 24 * 60 * 60_000;

/** The day of a point in time where the browser is, as YYYY-MM-DD. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const year = date.getFullYear();
  const month = twoDigits(date.getMonth() + 1);
  const day = twoDigits(date.getDate());
  return `${year}-${month}-${day}`;
}

/** A point in time where the browser is, to the minute, as YYYY-MM-DDTHH:MM. */
export function minuteOf(time: number): string {
  const date = new Date(time);
  return `${dayOf(time)}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** The day in such a text. */
export const dayIn = (minute: string) => minute.slice(0, 'YYYY-MM-DD'.length);

const twoDigits = (part: number) => String(part).padStart(2, '0');

/** Days from one day to another (YYYY-MM-DD); negative when the other is over. */
export function daysBetween(from: string, to: string): number {
  const milliseconds = Date.parse(to) - Date.parse(from);
  return Math.round(milliseconds / DAY_MS);
}
