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
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const inA = a[i] ?? 0;
    const inB = b[i] ?? 0;
    if (inA !== inB) return inA - inB;
  }
  return 0;
}

/** Up to Java 8: the major version after `1.`, and the update after `_`. */
const OLD_JAVA = /^1\.(\d+)(?:\.\d+)?(?:_(\d+))?/;

/**
 * Parses the output of `java -version`, wherever in it the version line is. Up to Java 8 `1.8.0_161-b12` is major 8,
 * update 161. Later versions begin with the major (JEP 223), which is enough.
 * @returns undefined when there is no such line
 */
export function parseJavaVersion(output: string): Version | undefined {
  const text = /^\S+ version "([^"]+)"/m.exec(output)?.[1];
  if (text === undefined) return undefined;

  const old = OLD_JAVA.exec(text);
  if (old) return { text, numbers: [toNumber(old[1]), toNumber(old[2])] };

  const major = /^\d+/.exec(text);
  if (!major) return undefined;
  return { text, numbers: [toNumber(major[0]), 0] };
}

/**
 * A version of ring, of which only the first four numbers count. It stands alone in its line or behind the program's
 * name, because a number within a sentence, such as `class file version 55.0`, is no version of ring.
 */
const RING_VERSION = /^(?:ring +)?v?((\d+)\.(\d+)(?:\.(\d+))?(?:[-+](\d+))?(?:-[\w.-]+)?)[ \t\r]*$/im;

/** Parses the output of `ring --version`, with or without log records around it: `0.19.5-12`, `ring 0.20.0+4`, `v0.19`. */
export function parseRingVersion(output: string): Version | undefined {
  const match = RING_VERSION.exec(output);
  if (!match) return undefined;

  const [, text = '', ...parts] = match;
  return { text, numbers: parts.map(toNumber) };
}

/** A part of a version that is missing counts as 0. */
function toNumber(part: string | undefined): number {
  return Number(part ?? 0);
}
