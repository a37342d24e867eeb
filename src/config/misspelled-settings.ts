import leven from 'leven';

/** Edits between two names that count as a typing error. */
const MAX_EDITS = 2;
/** Shorter names are too close to common variables of others. */
const MIN_LENGTH = 6;

/**
 * Finds variables that look like misspelled settings.
 * @param names names of environment variables
 * @param settings names of the real settings
 * @returns each suspicious name with the nearest setting
 */
export function misspelledSettings(
  names: readonly string[],
  settings: readonly string[],
): { name: string; nearest: string }[] {
  return names.flatMap((name) => {
    if (settings.includes(name) || name.length < MIN_LENGTH) return [];
    const distances = settings.map((setting) => ({
      nearest: setting,
      // RATE_LIMIT for RATE_LIMIT_MAX
      edits: setting.startsWith(`${name}_`) ? 0 : leven(name.toUpperCase(), setting),
    }));
    const best = distances.reduce((a, b) => (b.edits < a.edits ? b : a));
    return best.edits <= MAX_EDITS ? [{ name, nearest: best.nearest }] : [];
  });
}
