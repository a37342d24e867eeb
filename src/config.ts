import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { compileTrustProxy } from './client-address.js';

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

const oneOf = <const T extends string>(...values: T[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/**
 * The JVM's `-Djava.io.tmpdir` and a Unix socket both take this path: a Unix socket's address holds
 * 107 bytes (unix(7)), of which the instance directory below the base needs up to 35.
 */
const BASE_PATH_MAX_BYTES = 72;
const basePath = z
  .string()
  .startsWith('/', 'must be an absolute path')
  .refine(
    (path) => Buffer.byteLength(path) <= BASE_PATH_MAX_BYTES,
    `must not be longer than ${BASE_PATH_MAX_BYTES} bytes`,
  );

/** A hop count, a list of addresses, or `off`; the reasons are those of {@link compileTrustProxy}. */
const trustProxy = z.string().transform((value, context) => {
  try {
    return compileTrustProxy(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

/** Milliseconds a timer can take: Node fires at once for more than 2^31-1. */
const MAX_TIMER_MS = 2_147_483_647;
const milliseconds = integer(100, MAX_TIMER_MS);

/** Every setting of the service, as environment variables. `.env.example` describes each for operators. */
export const configSchema = z
  .object({
    /** TCP port of the API; 0 takes a free one. */
    PORT: integer(0, 65_535).default(3000),
    /** Address to listen on; all of them when unset. */
    HOST: z.string().optional(),
    /** HS256 secret of the tokens that lift the limit; no token is valid without it. */
    JWT_SECRET: z.string().optional(),
    /** Where multer puts uploads. */
    UPLOAD_DIR: basePath.default(join(tmpdir(), 'license-decoder', 'uploads')),
    /** Base of the directories that ring is pointed at. */
    TMP_BASE: basePath.default(join(tmpdir(), 'license-decoder', 'work')),
    /** ring's launcher: a path, or a name looked up on the PATH. */
    RING_CMD: z.string().optional(),
    /** Language of ring's answers. */
    RING_LANG: oneOf('ru', 'en').default('ru'),
    /** Whether ring's JVM is run with options for short runs and from an archive of its classes. */
    RING_JVM_TUNING: oneOf('on', 'off').default('on'),
    /** Where the archives are kept. */
    RING_CACHE_DIR: basePath.default(join(tmpdir(), 'license-decoder', 'cache')),
    /** Milliseconds one run of ring may take. */
    RING_TIMEOUT_MS: milliseconds.default(25_000),
    /** Runs of ring at a time, over all requests. */
    RING_CONCURRENCY: integer(1, 1024).default(() => availableParallelism()),
    /** Decodes that may wait for their first run. */
    RING_QUEUE_LIMIT: integer(0, 100_000).default(100),
    /** Milliseconds from the end of the upload to the answer: waiting and all runs together. */
    DECODE_TIMEOUT_MS: milliseconds.default(55_000),
    /** Milliseconds that a request may take to arrive; 5 MB in 90 s is half a megabit a second. */
    UPLOAD_TIMEOUT_MS: milliseconds.default(90_000),
    /** Milliseconds that decodes under way get to end after SIGTERM. */
    SHUTDOWN_TIMEOUT_MS: integer(0, MAX_TIMER_MS).default(30_000),
    /** Whose X-Forwarded-For is believed. */
    TRUST_PROXY: trustProxy.default(() => compileTrustProxy('loopback, linklocal, uniquelocal')),
    /** Anonymous decode requests for each client address in one window. */
    RATE_LIMIT_MAX: integer(0, 1_000_000).default(3),
    /** Seconds of one window. */
    RATE_LIMIT_WINDOW_SECONDS: integer(1, Math.floor(MAX_TIMER_MS / 1000)).default(3600),
    /** Redis that the replicas' limiters share; each counts for itself when unset. */
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .refine((url) => URL.canParse(url), 'must be a URL, redis://[user:password@]host[:port][/database]')
      .optional(),
    /** Seconds between two looks at the JRE and at ring. */
    STATUS_TTL_SECONDS: integer(1, 86_400).default(30),
    /** TCP port of `GET /metrics`; there is none when unset. */
    METRICS_PORT: integer(0, 65_535).optional(),
    /** Least level that is logged. */
    LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  })
  .superRefine((config, context) => {
    if (config.DECODE_TIMEOUT_MS < 2 * config.RING_TIMEOUT_MS) {
      context.addIssue({
        code: 'custom',
        path: ['DECODE_TIMEOUT_MS'],
        message:
          `must be at least twice RING_TIMEOUT_MS (${config.RING_TIMEOUT_MS}): ` +
          'a decode runs ring twice, one after the other',
      });
    }
  });

export type Config = z.output<typeof configSchema>;

/** One line for each variable that holds a bad value. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads the settings. A variable that is empty counts as unset.
 * @throws {ConfigError} naming every bad variable at once; values are not repeated, they may be secrets
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = configSchema.safeParse(present);
  if (parsed.success) return parsed.data;
  const problems = new Map(
    parsed.error.issues.map((issue) => [issue.path.join('.'), `${issue.path.join('.')}: ${issue.message}`]),
  );
  throw new ConfigError([...problems.values()]);
}
