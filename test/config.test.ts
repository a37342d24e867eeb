import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, configSchema, loadConfig } from '../src/config.js';
import { tempDirectory } from './support/temp.js';

const root = resolve(import.meta.dirname, '..');

function problems(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the settings', () => {
  it('have the documented defaults', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 3000,
      RING_LANG: 'ru',
      RING_TIMEOUT_MS: 25_000,
      RING_QUEUE_LIMIT: 100,
      DECODE_TIMEOUT_MS: 55_000,
      SHUTDOWN_TIMEOUT_MS: 30_000,
      RATE_LIMIT_MAX: 3,
      RATE_LIMIT_WINDOW_SECONDS: 3600,
      STATUS_TTL_SECONDS: 30,
      LOG_LEVEL: 'info',
    });
  });

  it('count as unset when empty', () => {
    expect(loadConfig({ PORT: '', JWT_SECRET: '', RING_CMD: '' })).toEqual({
      ...loadConfig({}),
      TRUST_PROXY: expect.any(Function) as unknown,
    });
  });

  it.each<[string, string]>([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['UPLOAD_DIR', 'uploads'],
    ['TMP_BASE', `/${'x'.repeat(90)}`],
    ['RING_LANG', 'de'],
    ['RING_TIMEOUT_MS', '1.5'],
    ['RING_TIMEOUT_MS', '1e4'],
    ['RING_CONCURRENCY', '0'],
    ['RATE_LIMIT_WINDOW_SECONDS', '0'],
    ['STATUS_TTL_SECONDS', 'x'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis://a b'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'abc'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '-1'],
  ])('%s=%s is refused by name', (name, value) => {
    const [problem, ...others] = problems({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name}: must`));
    expect(problem).not.toContain('\n');
    expect(others).toEqual([]);
  });

  it.each(['off', '0', '1', '2', 'loopback', '10.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback,uniquelocal'])(
    'TRUST_PROXY=%s is taken',
    (value) => {
      expect(problems({ TRUST_PROXY: value })).toEqual([]);
    },
  );

  it('ask for a decode deadline of two runs', () => {
    expect(problems({ RING_TIMEOUT_MS: '30000' })[0]).toMatch(
      /^DECODE_TIMEOUT_MS: .*twice RING_TIMEOUT_MS \(30000\)/,
    );
    expect(problems({ RING_TIMEOUT_MS: '30000', DECODE_TIMEOUT_MS: '60000' })).toEqual([]);
  });

  it('stand in .env.example, each with a comment and its default', () => {
    const example = readFileSync(resolve(root, '.env.example'), 'utf8');
    const entries = [...example.matchAll(/((?:^# .*\n)+)^#?([A-Z_]+)=(.*)$/gm)];
    expect(entries.map(([, , name]) => name)).toEqual(Object.keys(configSchema.shape));
    const defaults = loadConfig({}) as unknown as Record<string, unknown>;
    for (const [, , name = '', value = ''] of entries) {
      if (value === '' || name === 'TRUST_PROXY') continue;
      expect([name, value]).toEqual([name, String(defaults[name])]);
    }
    expect(problems(Object.fromEntries(entries.map(([, , name = '', value = '']) => [name, value])))).toEqual(
      [],
    );
  });
});

describe('the start', () => {
  const start = (env: Record<string, string>, cwd: string) =>
    spawnSync(process.execPath, [resolve(root, 'dist/server.js')], {
      cwd,
      env,
      encoding: 'utf8',
      timeout: 10_000,
    });

  it('ends with one line for each bad variable and no stack trace', async () => {
    const { status, stderr, stdout } = start(
      { PORT: 'x', RING_LANG: 'de', TRUST_PROXY: 'true' },
      await tempDirectory(),
    );
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toEqual([
      "The service can't start:",
      expect.stringMatching(/^PORT: /) as string,
      expect.stringMatching(/^RING_LANG: /) as string,
      expect.stringMatching(/^TRUST_PROXY: must not be "true": a client could/) as string,
    ]);
  });

  it('never repeats a value: it may be a secret', async () => {
    const { stderr } = start({ REDIS_URL: 'http://user:hunter2@host' }, await tempDirectory());
    expect(stderr).toContain('REDIS_URL: must begin with redis://');
    expect(stderr).not.toContain('hunter2');
  });
});
