import { resolve } from 'node:path';
import { z } from 'zod';
import { compileTrustProxy } from './trust-proxy.js';

// The forms that values of settings have. Their messages follow the name of a variable: `PORT: must be a whole number`.

/** A whole number in a range. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** One of some words, in upper or lower case. */
export const oneOf = <const T extends string>(...values: T[]) =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(values, { error: `must be one of ${values.join(', ')}` }));

/**
 * Whether a text can be meant as a path. No shell replaces `~` and `$HOME` in a setting, so a directory of that name would
 * be created below the working directory.
 */
const isPath = (text: string) => /^[^~$\s]/.test(text);

/** A directory. A relative path is one below the working directory. */
export const directory = z
  .string()
  .refine(isPath, 'must be a path that does not begin with ~, $ or a blank: write it out')
  .transform((path) => resolve(path));

/** A list whose elements all pass the test. */
export function listOf(separator: string, isValid: (element: string) => boolean, message: string) {
  const split = (value: string) => {
    const elements = value.split(separator);
    return elements.map((element) => element.trim());
  };
  return z
    .string()
    .transform(split)
    .refine((elements) => elements.every(isValid), message);
}

/** Directories, separated by colons. Relative paths are below the working directory. */
export const directories = listOf(
  ':',
  isPath,
  'must be paths without ~ and $, separated by colons',
).transform((paths) => paths.map((path) => resolve(path)));

/** Whose X-Forwarded-For is trusted; see {@link compileTrustProxy}. */
export const trustProxy = z.string().transform((value, context) => {
  try {
    return compileTrustProxy(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

/** `*`, or an origin as browsers send it (RFC 6454, section 6.2): scheme, host and port, nothing else. */
function isOrigin(text: string): boolean {
  if (text === '*') return true;

  // A URL may have a `*` in its host, but origins are compared as they are.
  if (text.includes('*')) return false;
  return URL.parse(text)?.origin === text;
}

/** Origins of web pages, or `*`. */
export const origins = listOf(
  ',',
  isOrigin,
  'must be *, or origins such as https://example.com, separated by commas',
);

/**
 * A URL that the client of Redis can take: no path but the number of a database, and no bare `%` in the password. A bare
 * `#`, `?` or `@` would end the password, and its rest would be looked up in DNS as the host.
 */
function isRedisUrl(text: string): boolean {
  const hasBareCharacter = /[#?]|@.*@/.test(text);
  if (hasBareCharacter) return false;

  const url = URL.parse(text);
  if (!url) return false;

  const hasDatabase = /^(?:\/\d*)?$/.test(url.pathname);
  if (!hasDatabase) return false;

  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}

/** Where Redis is, with the user and password to log in. */
export const redisUrl = z
  .string()
  .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
  .refine(
    isRedisUrl,
    'must be redis://[user:password@]host[:port][/database], with a number as database; in the password write %23 for #, %3F for ?, %40 for @, %25 for %',
  );

/** Longest timer in milliseconds; Node.js fires at once for more. */
export const MAX_TIMER_MS = 2_147_483_647;
/** Milliseconds of a timer. */
export const milliseconds = integer(100, MAX_TIMER_MS);
