import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  configSchema,
  loadConfig,
  readConfig,
  ringTimeoutMs,
  type Config,
} from '../../../src/config/settings.js';
import { mistypedSettings, warnAboutSettings } from '../../../src/config/warnings.js';
import { StartError } from '../../../src/errors/start-error.js';
import { recordedLog } from '../../support/recorded-log.js';
import { tempDirectory } from '../../support/temp.js';

function problems(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof StartError) return error.message.split('\n');
    throw error;
  }
}

it('variables that look like mistyped settings are found, but not those of Kubernetes or ring', () => {
  const mistyped = {
    ...{ RATE_LIMIT: '5', LICENSE_DIR: '/a', LICENSES_DIRS: '/a', METRIC_PORT: '9090', METRICS_ADDRESS: 'x' },
    ...{ REDIS_URI: 'redis://x', REDIS_PORT: '6379', REDIS_SERVICE: 'x', CORS_ORIGIN: '*' },
    ...{ SHUTDOWN_TIMEOUT: '1', STATUS_TTL: '1', TMP_DIR: '/a', WEB_UII: 'on', LOG_LEVL: 'info' },
  };
  const service = (name: string) => ({
    [`${name}_SERVICE_HOST`]: '10.0.0.1',
    [`${name}_SERVICE_PORT`]: '6379',
    [`${name}_SERVICE_PORT_HTTP_API`]: '6379',
    [`${name}_PORT`]: 'tcp://10.0.0.1:6379',
    [`${name}_PORT_6379_TCP`]: 'tcp://10.0.0.1:6379',
    [`${name}_PORT_6379_TCP_PROTO`]: 'tcp',
    [`${name}_PORT_6379_TCP_PORT`]: '6379',
    [`${name}_PORT_6379_TCP_ADDR`]: '10.0.0.1',
  });
  const others = {
    RING_OPTS: '-Xmx1g',
    LICENSES: 'x',
    HOST_IP: '10.0.0.1',
    ...service('REDIS'),
    ...service('LICENSE_DECODER'),
  };
  const { REDIS_PORT, ...named } = mistyped;
  expect(mistypedSettings({ ...named, ...others, REDIS_URL: 'redis://x', METRICS_PORT: '1' })).toEqual(
    Object.keys(named),
  );
  expect(mistypedSettings({ REDIS_PORT })).toEqual(['REDIS_PORT']);
});

const SECRET = 'x'.repeat(40);
it.each([
  [{ JWT_SECRET: `${SECRET}\n` }, 'JWT_SECRET ends in a line break, which is part of it'],
  [{ JWT_SECRET: SECRET, METRICS_HOST: '::1' }, 'METRICS_HOST has no effect without METRICS_PORT'],
  [{ JWT_SECRET: SECRET, TRUST_REQUEST_ID: 'on' }, 'TRUST_REQUEST_ID=on has no effect without REDIS_URL'],
])('%j is warned of, and stays as it is', (settings, warning) => {
  const { log, lines } = recordedLog();
  const config = loadConfig(settings);
  warnAboutSettings(config, {}, log);
  expect(lines.map(({ msg }) => msg)).toEqual([warning]);
  expect(config).toMatchObject(settings);
});

describe('.env', () => {
  /** Reads the settings where .env has this content. */
  async function readWith(content: string | Buffer): Promise<Config> {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(await tempDirectory());
    writeFileSync('.env', content);
    vi.stubEnv('HOST', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    return readConfig();
  }

  it('may begin with a byte order mark, as Notepad writes it', async () => {
    expect(await readWith('\uFEFFHOST=127.0.0.2\r\n')).toMatchObject({ HOST: '127.0.0.2' });
  });

  it.each([
    ['in UTF-16', Buffer.from('\uFEFFHOST=127.0.0.2', 'utf16le')],
    ['in UTF-16 without a mark', Buffer.from('HOST=127.0.0.2', 'utf16le')],
    ['in windows-1251', Buffer.from('# \xcf\xee\xf0\xf2\nHOST=127.0.0.2', 'latin1')],
  ])('%s ends the start', async (_title, content) => {
    await expect(readWith(content)).rejects.toThrow('.env: is not UTF-8');
  });
});

it.each([
  ...['Europe/Moskow', 'MSK', 'UTC+3', 'GMT+3', '+03:00', 'europe/moscow'].map(
    (zone) => [zone, true] as const,
  ),
  ...['Europe/Moscow', ':Europe/Moscow', 'Etc/GMT-3', 'UTC', ''].map((zone) => [zone, false] as const),
])('TZ=%j is warned of: %s', (zone, isWarnedOf) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { log, lines } = recordedLog();
  warnAboutSettings(loadConfig({ JWT_SECRET: SECRET }), { TZ: zone }, log);
  expect(lines.map(({ TZ }) => TZ)).toEqual(isWarnedOf ? [zone] : []);
});

describe('a setting', () => {
  it.each<[string, string]>([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['RING_LANG', 'de'],
    ['DECODE_TIMEOUT_MS', '1.5'],
    ['SHUTDOWN_TIMEOUT_MS', '3000000000'],
    ['RING_CONCURRENCY', '0'],
    ['RATE_LIMIT_WINDOW_SECONDS', '0'],
    ['STATUS_TTL_SECONDS', 'x'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis://host/abc'],
    ['REDIS_URL', 'redis://:100%@host'],
    ['REDIS_URL', 'redis://:p@ss@host'],
    ['REDIS_URL', 'redis://:p@ss#word@host'],
    ['REDIS_URL', 'redis://:pass?word@host'],
    ['RATE_LIMIT_MAX', '0'],
    ['LOG_LEVEL', 'loud'],
    ['UPLOAD_DIR', '~/uploads'],
    ['TMP_BASE', '$HOME/licenses'],
    ['TMP_BASE', ' /var/tmp'],
    ['TRUST_PROXY', 'nobody'],
    ['CORS_ORIGINS', 'https://a.example/'],
    ['CORS_ORIGINS', 'https://a.example,'],
    ['CORS_ORIGINS', 'https://*.example'],
  ])('%s=%s is refused by name, in one line, without its value', (name, value) => {
    const [problem, ...others] = problems({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name}: must [^\n]*$`));
    if (value.length > 5) expect(problem).not.toContain(value);
    expect(others).toEqual([]);
  });

  it('of a directory may be a path below the working directory', () => {
    const { UPLOAD_DIR, TMP_BASE } = loadConfig({ UPLOAD_DIR: 'uploads', TMP_BASE: './tmp/' });
    expect([UPLOAD_DIR, TMP_BASE]).toEqual([resolve('uploads'), resolve('tmp')]);
  });

  it('that is a word may be in upper case', () => {
    expect(loadConfig({ LOG_LEVEL: 'INFO', WEB_UI: 'Off', RING_LANG: 'EN' })).toMatchObject({
      LOG_LEVEL: 'info',
      WEB_UI: 'off',
      RING_LANG: 'en',
    });
  });

  it('of 0 decodes without a token needs JWT_SECRET', () => {
    expect(loadConfig({ RATE_LIMIT_MAX: '0', JWT_SECRET: 'x' })).toMatchObject({ RATE_LIMIT_MAX: 0 });
  });

  it('REDIS_URL takes a password whose special characters are encoded', () => {
    const REDIS_URL = 'rediss://user:p%40ss%23wo%3Frd%25@redis:6380/1';
    expect(loadConfig({ REDIS_URL })).toMatchObject({ REDIS_URL });
  });

  it('LICENSES_DIR needs paths and METRICS_PORT', () => {
    const METRICS_PORT = '0';
    expect(loadConfig({ LICENSES_DIR: '/a:b', METRICS_PORT }).LICENSES_DIR).toEqual(['/a', resolve('b')]);
    expect(problems({ LICENSES_DIR: '/a:', METRICS_PORT })[0]).toMatch(/^LICENSES_DIR: must be paths/);
    expect(problems({ LICENSES_DIR: '/a:/b' })[0]).toMatch(/^LICENSES_DIR: must come with METRICS_PORT/);
  });

  it.each(['PORT', 'RING_CMD'])('%s in quotes that Docker kept is refused; JWT_SECRET is not', (name) => {
    expect(problems({ [name]: '"3000"', JWT_SECRET: '"x"' })).toEqual([
      `${name}: stands in quotes: remove them`,
    ]);
  });

  it('that is empty counts as unset', () => {
    expect(loadConfig({ PORT: '', JWT_SECRET: '', RING_CMD: '' })).toEqual({
      ...loadConfig({}),
      TRUST_PROXY: expect.any(Function) as unknown,
    });
  });
});

it.each([
  ['1', 17_188],
  ['2', 25_000],
])('with RING_CONCURRENCY=%s one run of ring gets %i ms of DECODE_TIMEOUT_MS', (slots, runMs) => {
  expect(ringTimeoutMs(loadConfig({ RING_CONCURRENCY: slots }))).toBe(runMs);
});

it('METRICS_PORT must differ from PORT, unless both are free ones', () => {
  expect(problems({ PORT: '3000', METRICS_PORT: '3000' })).toEqual(['METRICS_PORT: must differ from PORT']);
  expect(problems({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
});

it('.env.example has every setting, each with a comment and its default', () => {
  const example = readFileSync(resolve(import.meta.dirname, '../../../.env.example'), 'utf8');
  const entries = [...example.matchAll(/((?:^# .*\n)+)^#?([A-Z0-9_]+)=(.*)$/gm)].map(
    ([, , name = '', value = '']): [string, string] => [name, value],
  );
  expect(entries.map(([name]) => name).toSorted()).toEqual(
    [...Object.keys(configSchema.shape), 'RING_OPTS', 'JAVA_HOME'].toSorted(),
  );
  expect(problems(Object.fromEntries(entries))).toEqual([]);
  const defaults = loadConfig({}) as unknown as Record<string, unknown>;
  for (const [name, value] of entries) {
    if (value !== '' && name !== 'TRUST_PROXY') {
      expect([name, value]).toEqual([name, String(defaults[name])]);
    }
  }
});
