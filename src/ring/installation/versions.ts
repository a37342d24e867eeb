/** A version as printed, and the numbers that it is compared by, the most significant first. */
export interface Version {
  text: string;
  numbers: number[];
}

/** Oldest JRE that ring runs on, as the 1C:Enterprise administrator's guide writes it. */
export const MIN_JRE: Version = { text: '1.8.0_161', numbers: [8, 161] };
/** Oldest ring that is accepted. */
export const MIN_RING: Version = { text: '0.11.5-3', numbers: [0, 11, 5, 3] };

/** Compares number by number; a missing number counts as 0. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Parses what `java -version` prints, wherever in the text its version line is. Up to Java 8 `1.8.0_161-b12` is major 8,
 * update 161. Later versions begin with the major (JEP 223), which is enough.
 * @returns undefined when there is no such line
 */
export function parseJavaVersion(output: string): Version | undefined {
  const text = /^\S+ version "([^"]+)"/m.exec(output)?.[1] ?? '';
  const match = /^1\.(\d+)(?:\.\d+)?(?:_(\d+))?/.exec(text) ?? /^(\d+)/.exec(text);
  return match ? { text, numbers: [Number(match[1]), Number(match[2] ?? 0)] } : undefined;
}

/** Parses what `ring --version` prints, with or without log records around it: `0.19.5-12`, `0.20.0+4`. */
export function parseRingVersion(output: string): Version | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+](\d+))?(?:-[\w.-]+)?[ \t\r]*$/m.exec(output);
  if (!match) return undefined;
  return {
    text: match[0].trim(),
    numbers: match.slice(1, 5).map((number: string | undefined) => Number(number ?? 0)),
  };
}
