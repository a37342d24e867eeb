import { License, type Failure, type Place } from './license.js';
import type { Sheet, SheetRow } from './sheet.js';

/** The rows of a list of another day: each distinct bytes, as those of files are. */
export function rowsOf(sheet: Sheet | undefined): [License, Place[]][] {
  const byFingerprint = new Map<string, Place[]>();
  return (sheet?.rows ?? []).flatMap((row): [License, Place[]][] => {
    const places = placesOf(row);
    const known = byFingerprint.get(row.fingerprint ?? '');
    if (known) known.push(...places);
    else if (row.fingerprint) byFingerprint.set(row.fingerprint, places);
    if (known) return [];
    const { fingerprint, source, error } = row;
    const failure = error === null ? undefined : failureOf(error);
    const parts = { sources: source && [source], failure, fingerprint, day: sheet?.day ?? '' };
    return [[new License(parts), places]];
  });
}

/** A license with several files has a line for each. */
function placesOf({ name, folder }: SheetRow): Place[] {
  const folders = folder.split('\n');
  return name.split('\n').map((line, index) => ({ name: line.trim(), folder: folders[index]?.trim() ?? '' }));
}

/** A failure as the list has it, in the language of that day. */
const failureOf = (text: string): Failure => ({
  problem: { text, language: /[а-я]/i.test(text) ? 'ru' : 'en', requestId: null },
  canRetry: false,
});
