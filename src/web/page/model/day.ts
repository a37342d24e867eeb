const DAY_MS = 24 * 60 * 60_000;

/** The day of a point in time where the browser is, as YYYY-MM-DD. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Days from one day to another (YYYY-MM-DD); negative when the other is over. */
export const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
