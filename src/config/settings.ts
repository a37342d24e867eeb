import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { StartError } from '../errors/start-error.js';
import { compileTrustProxy, DEFAULT_TRUST_PROXY } from './trust-proxy.js';
import {
  directories,
  directory,
  integer,
  MAX_TIMER_MS,
  milliseconds,
  oneOf,
  origins,
  redisUrl,
  trustProxy,
} from './value-types.js';

const packageJson = createRequire(import.meta.url)('../../package.json') as { version: string; bugs: string };

/** Where faults of the service are reported. */
export const { bugs } = packageJson;

/** The version of the service, with the commit that was built if scripts/commit.mjs knew it: `1.0.0+79eb09d`. */
export const version = [packageJson.version, ...builtCommit()].join('+');

function builtCommit(): string[] {
  const file = join(import.meta.dirname, '../../dist/commit.txt');
  return existsSync(file) ? [readFileSync(file, 'utf8')] : [];
}

/** The same for uploads and decodes. Named after the user, because each user needs one that is closed to the others. */
const DEFAULT_DIRECTORY = join(tmpdir(), `license-decoder-${process.getuid?.()}`);

/** Every setting of the service, as environment variables. `.env.example` describes each for operators. */
export const configSchema = z
  .object({
    /** TCP port of the API; 0 takes a free one. */
    PORT: integer(0, 65_535).default(3000),
    /** Address to listen on; all of them when unset. */
    HOST: z.string().optional(),
    /** HS256 secret of the tokens that lift the limit; without it no token is accepted. */
    JWT_SECRET: z.string().optional(),
    /** Directory for files while they are uploaded. */
    UPLOAD_DIR: directory.default(DEFAULT_DIRECTORY),
    /** Parent of the directories of the decodes that wait or run. */
    TMP_BASE: directory.default(DEFAULT_DIRECTORY),
    /** ring's launcher: a path, or a name to look up on the PATH. */
    RING_CMD: z.string().optional(),
    /** ring's license module, with a version if need be: `license@0.15.0`; found out when unset. */
    RING_MODULE: z
      .string()
      .regex(/^[\w.-]+(?:@[\w.+-]+(?::\w+)?)?$/, 'must be a module, such as license or license@0.15.0')
      .optional(),
    /** Language of ring's texts. */
    RING_LANG: oneOf('ru', 'en').default('ru'),
    /** Whether ring's JVM gets options for short runs and an archive of its classes. */
    RING_JVM_TUNING: oneOf('on', 'off').default('on'),
    /** Maximum concurrent ring processes; polls run beside them. */
    RING_CONCURRENCY: integer(1, 1024).default(() => availableParallelism()),
    /** Decodes that may upload or wait, besides the running ones: 40 files of 5 MB fit into a /tmp of 256 MB. */
    RING_QUEUE_LIMIT: integer(0, 100_000).default(40),
    /** Milliseconds from the end of the upload to the answer, including the wait in the queue. */
    DECODE_TIMEOUT_MS: milliseconds.default(55_000),
    /** Milliseconds a request may take to arrive; 5 MB in 90 s is half a megabit per second. */
    UPLOAD_TIMEOUT_MS: milliseconds.default(90_000),
    /** Milliseconds that decodes in progress get to finish after SIGTERM. */
    SHUTDOWN_TIMEOUT_MS: integer(0, MAX_TIMER_MS).default(30_000),
    /** Whose X-Forwarded-For is trusted. */
    TRUST_PROXY: trustProxy.default(() => compileTrustProxy(DEFAULT_TRUST_PROXY)),
    /** Whether the proxy in front writes X-Request-Id itself, so that a request it repeats at another replica counts once. */
    TRUST_REQUEST_ID: oneOf('on', 'off').default('off'),
    /** Anonymous decode requests per client address and window. */
    RATE_LIMIT_MAX: integer(0, 1_000_000).default(3),
    /** Seconds of a window. */
    RATE_LIMIT_WINDOW_SECONDS: integer(1, Math.floor(MAX_TIMER_MS / 1000)).default(3600),
    /** Origins of web pages that may call the API: a list, or `*`; only pages of this service when unset. */
    CORS_ORIGINS: origins.default([]),
    /** Redis that the replicas share the limit through; each limits for itself when unset. */
    REDIS_URL: redisUrl.optional(),
    /** Seconds from a poll of the JRE and ring to the next one; ten times as many while all is well. */
    STATUS_TTL_SECONDS: integer(1, 86_400).default(30),
    /** TCP port of `GET /metrics`; no metrics when unset. */
    METRICS_PORT: integer(0, 65_535).optional(),
    /** Address on which the metrics are; HOST when unset. */
    METRICS_HOST: z.string().optional(),
    /** Directories of licenses that the metrics show. */
    LICENSES_DIR: directories.default([]),
    /** Whether there is a page for people at `/` and one with the API reference at `/docs`. */
    WEB_UI: oneOf('on', 'off').default('on'),
    /** Lowest level that is logged. */
    LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  })
  .superRefine((config, context) => {
    const { PORT, METRICS_PORT, LICENSES_DIR } = config;
    const refuse = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });

    if (config.RATE_LIMIT_MAX === 0 && config.JWT_SECRET === undefined) {
      refuse('RATE_LIMIT_MAX', 'must be more than 0, or JWT_SECRET must be set: otherwise nobody can decode');
    }

    const isSamePort = METRICS_PORT === PORT && PORT !== 0;
    if (isSamePort) refuse('METRICS_PORT', 'must differ from PORT');

    if (LICENSES_DIR.length > 0 && METRICS_PORT === undefined) {
      refuse('LICENSES_DIR', 'must come with METRICS_PORT, whose GET /metrics shows the licenses');
    }
  });

export type Config = z.output<typeof configSchema>;

/**
 * Milliseconds for one run of ring. All runs that a decode needs end before DECODE_TIMEOUT_MS, and a fifth of one run is
 * left for the rest. With two slots or more, the second and the third run take place side by side.
 */
export function ringTimeoutMs({ RING_CONCURRENCY, DECODE_TIMEOUT_MS }: Config): number {
  const runsInSequence = RING_CONCURRENCY === 1 ? 3 : 2;
  return Math.round(DECODE_TIMEOUT_MS / (runsInSequence + 0.2));
}

/** Bytes below which a secret for HS256 can be guessed (RFC 7518, section 3.2). */
export const MIN_SECRET_BYTES = 32;

/** Whether a value stands in quotes, which `docker run --env-file` does not remove. */
export const isQuoted = (value: string) => /^(["']).*\1$/.test(value);

/**
 * Reads the settings. An empty variable counts as unset.
 * @throws {StartError} with a line for each invalid variable, without the values: they may be secrets
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const present = withoutEmpty(env);
  const { data, error } = configSchema.safeParse(present);

  /** A message for each invalid variable. */
  const problems = new Map<string, string>();
  for (const { path, message } of error?.issues ?? []) {
    const variable = path.join('.');
    problems.set(variable, message);
  }
  // Some values are valid for the schema even in quotes, such as a path. For the others its message names another cause.
  // So this message comes first.
  for (const variable of quotedSettings(present)) {
    problems.set(variable, 'stands in quotes: remove them');
  }

  if (!data || problems.size > 0) {
    const lines = Array.from(problems, ([variable, message]) => `${variable}: ${message}`);
    throw new StartError(lines.join('\n'));
  }

  return data;
}

function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const present = Object.entries(env).filter(([, value]) => value !== '');
  return Object.fromEntries(present);
}

/** The settings whose values stand in quotes. Only JWT_SECRET may, because quotes can be part of a secret. */
function quotedSettings(env: NodeJS.ProcessEnv): string[] {
  const names = Object.keys(configSchema.shape);
  return names.filter((name) => name !== 'JWT_SECRET' && isQuoted(env[name] ?? ''));
}

/**
 * Adds the variables of `.env` in the working directory to the environment of this process, except those that it has.
 * @throws {StartError}
 */
export function loadEnvFile(): void {
  let content: Buffer;
  try {
    // process.loadEnvFile reports ENOENT whatever the reason is, so the file is read here.
    content = readFileSync('.env');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new StartError(
      `.env: cannot be read (${code}). Make it a file that this user may read, or remove it.`,
    );
  }

  const fromFile = parseEnv(textOf(content));
  Object.assign(process.env, { ...fromFile, ...process.env });
}

/**
 * The text of `.env`, without the byte order mark that Notepad writes: it would be part of the first name.
 * @throws {StartError} for UTF-16, in which no setting would be found, and for other text that is not UTF-8
 */
function textOf(content: Buffer): string {
  const isText = isUtf8(content) && !content.includes(0);
  if (!isText) throw new StartError('.env: is not UTF-8. Save it as UTF-8.');
  return new TextDecoder().decode(content);
}

/**
 * Reads the settings from the environment of this process and from `.env`.
 * @throws {StartError}
 */
export function readConfig(): Config {
  loadEnvFile();
  return loadConfig(process.env);
}
