import type { Logger } from 'pino';
import { configSchema, isQuoted, MIN_SECRET_BYTES, type Config } from './settings.js';

/** Warns about settings that are valid, but probably a mistake. */
export function warnAboutSettings(config: Config, env: NodeJS.ProcessEnv, log: Logger): void {
  warnAboutSecret(config.JWT_SECRET, log);
  warnAboutTimeZone(env['TZ'], log);

  if (config.METRICS_HOST !== undefined && config.METRICS_PORT === undefined) {
    log.warn('METRICS_HOST has no effect without METRICS_PORT');
  }
  if (config.TRUST_REQUEST_ID === 'on' && config.REDIS_URL === undefined) {
    log.warn('TRUST_REQUEST_ID=on has no effect without REDIS_URL');
  }

  const unknown = mistypedSettings(env);
  if (unknown.length > 0) log.warn({ unknown }, 'these are no settings: are they mistyped?');
}

function warnAboutSecret(secret: string | undefined, log: Logger): void {
  if (!secret) {
    log.warn('JWT_SECRET is not set: no token is accepted, every client is limited');
    return;
  }

  const bytes = Buffer.byteLength(secret);
  if (bytes < MIN_SECRET_BYTES) {
    log.warn(
      `JWT_SECRET is shorter than ${MIN_SECRET_BYTES} bytes: with any token it can be guessed in seconds; use what the command secret prints`,
    );
  }
  // Trimming the secret would make tokens invalid that were issued with it.
  if (/[\r\n]$/.test(secret)) log.warn('JWT_SECRET ends in a line break, which is part of it');
  if (isQuoted(secret)) log.warn('JWT_SECRET stands in quotes, which are part of it here');
}

/** For a time zone that they do not know, Node.js and Java silently take UTC, or invert `UTC+3` as POSIX does. */
function warnAboutTimeZone(zone: string | undefined, log: Logger): void {
  if (!zone || isInEffect(zone)) return;
  log.warn(
    { TZ: zone },
    'TZ is no known time zone, so times of licenses are wrong: name one such as Europe/Moscow',
  );
}

/** Whether the time zone of this process is the one that TZ names. Both are compared by the names that Intl gives them. */
function isInEffect(zone: string): boolean {
  // glibc and Node.js take a zone with a colon before it, too.
  const name = zone.replace(/^:/, '');
  const inEffect = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    const named = Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return named === inEffect;
  } catch {
    return false;
  }
}

/** Variables that begin like settings, but belong to others. ring reads RING_OPTS. */
const OF_OTHERS = new Set(['RING_OPTS']);

/**
 * Variables that Kubernetes adds for each Service, as `NAME=value`. The name of a Service may begin like that of a
 * setting: a Service `redis` gives REDIS_PORT, whose value is a URL.
 */
const OF_SERVICE = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)=|PORT_\d+_(?:TCP|UDP|SCTP)|PORT=\w+:\/\/)/;

/** Names of variables that begin like those of settings, but are none: a typing error would otherwise go unnoticed. */
export function mistypedSettings(env: NodeJS.ProcessEnv): string[] {
  const settings = Object.keys(configSchema.shape);
  const firstWords = new Set(settings.filter(hasSeveralWords).map(firstWordOf));

  const mistyped: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    const isLikeSetting = hasSeveralWords(name) && firstWords.has(firstWordOf(name));
    const isKnown = settings.includes(name) || OF_OTHERS.has(name);
    if (!isLikeSetting || isKnown) continue;

    const isFromKubernetes = OF_SERVICE.test(`${name}=${value}`);
    if (!isFromKubernetes) mistyped.push(name);
  }
  return mistyped;
}

/** False for PORT and HOST. So HOST_IP, which other programs use, does not count as similar to them. */
function hasSeveralWords(name: string): boolean {
  return name.includes('_');
}

/** The first word of a name, without the S of a plural, because LICENSE_DIR is meant to be LICENSES_DIR. */
function firstWordOf(name: string): string {
  const separator = name.indexOf('_');
  const first = name.slice(0, separator);
  return first.replace(/S$/, '');
}
