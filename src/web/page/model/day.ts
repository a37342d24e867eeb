const DAY_MS = 24 * 60 * 60_000;

/** The day of a point in time where the browser is, as YYYY-MM-DD. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const year = date.getFullYear();
  const month = twoDigits(date.getMonth() + 1);
  const day = twoDigits(date.getDate());
  return `${year}-${month}-${day}`;
}

const twoDigits = (part: number) => String(part).padStart(2, '0');

/** Days from one day to another (YYYY-MM-DD); negative when the other is over. */
export function daysBetween(from: string, to: string): number {
  const milliseconds = Date.parse(to) - Date.parse(from);
  return Math.round(milliseconds / DAY_MS);
}
