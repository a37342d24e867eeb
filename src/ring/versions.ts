/** A version as printed, and its numbers from the most to the least significant. */
export interface Version {
  text: string;
  numbers: number[];
}

/** Lowest JRE that ring runs on: 1.8.0_161 (1C:Enterprise administrator's guide). */
const MIN_JRE = [8, 161];
/** Lowest ring worth accepting: 0.11.5-3. */
const MIN_RING = [0, 11, 5, 3];

/** Compares number by number; a missing number counts as 0. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Reads what `java -version` prints, wherever in the text its version line stands. Knows the spelling up
 * to Java 8 (`1.8.0_161-b12`: major 8, update 161) and the one since (JEP 223, JEP 322: `9-ea`, `9.0.4`,
 * `17.0.15`: the major comes first).
 * @returns undefined when there is no such line
 */
export function parseJavaVersion(output: string): Version | undefined {
  const text = /^\S+ version "([^"]+)"/m.exec(output)?.[1];
  if (text === undefined) return undefined;
  const match = /^1\.(\d+)(?:\.\d+)?(?:_(\d+))?/.exec(text) ?? /^(\d+)(?:\.\d+(?:\.(\d+))?)?/.exec(text);
  return match ? { text, numbers: [Number(match[1]), Number(match[2] ?? 0)] } : undefined;
}

/** Reads what `ring --version` prints, among log records or not: `0.19.5-12`, `0.20.0+4`. */
export function parseRingVersion(output: string): Version | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+](\d+))?(?:-[\w.-]+)?\s*$/m.exec(output);
  if (!match) return undefined;
  return {
    text: match[0].trim(),
    numbers: match.slice(1, 5).map((number: string | undefined) => Number(number ?? 0)),
  };
}

export const isValidJre = ({ numbers }: Version): boolean => compareVersions(numbers, MIN_JRE) >= 0;
export const isValidRing = ({ numbers }: Version): boolean => compareVersions(numbers, MIN_RING) >= 0;
