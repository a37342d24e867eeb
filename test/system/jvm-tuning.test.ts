import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildJvmRing, JVM_LICENSE } from '../support/jvm-ring.js';
import { eventually, startTestService, upload, type TestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

const WAIT_MS = 90_000;
const said = (service: TestService, text: string) =>
  service.log.filter(({ msg }) => String(msg).includes(text)).length;
const isComplete = (service: TestService) =>
  eventually(() => said(service, 'JVM tuning is complete') === 1, WAIT_MS);

describe('tuning of a running service', { tags: 'javac' }, () => {
  let directory: string;
  let ring: string;
  beforeAll(() => ({ directory, launcher: ring } = buildJvmRing()));
  afterAll(() => rmSync(directory, { recursive: true }));

  const start = (settings: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) =>
    startTestService(
      { RING_CMD: ring, RING_JVM_TUNING: 'on', ...settings },
      { PATH: process.env['PATH'], ...env },
    );

  const expectDecodes = async (service: TestService) =>
    await upload(service, JVM_LICENSE).field('detailed', 'true').expect(200);

  it('decodes before, while and after the archive is made', async () => {
    const service = await start();
    while (said(service, 'JVM tuning is complete') === 0) await expectDecodes(service);
    await expectDecodes(service);
    expect(said(service, 'JVM tuning is incomplete')).toBe(0);
  });

  it('makes one archive for all replicas and starts that share the cache', async () => {
    const cache = await tempDirectory();
    const services = await Promise.all([start({ RING_CACHE_DIR: cache }), start({ RING_CACHE_DIR: cache })]);
    for (const service of services) expect(await isComplete(service)).toBe(true);
    const [name = ''] = readdirSync(cache);
    const { mtimeMs } = statSync(join(cache, name));
    const later = await start({ RING_CACHE_DIR: cache });
    expect(await isComplete(later)).toBe(true);
    expect(readdirSync(cache)).toEqual([name]);
    expect(statSync(join(cache, name)).mtimeMs).toBe(mtimeMs);
    await expectDecodes(later);
  });

  it.each<[string, (whole: Buffer) => Buffer]>([
    ['cut off', (whole) => whole.subarray(0, 5000)],
    ['empty', () => Buffer.alloc(0)],
    ['overwritten at its start', (whole) => whole.fill(7, 0, 4096)],
    ['overwritten inside', (whole) => whole.fill(7, 8192)],
  ])('replaces an archive that is %s', async (_title, damage) => {
    const cache = await tempDirectory();
    expect(await isComplete(await start({ RING_CACHE_DIR: cache }))).toBe(true);
    const archive = join(cache, readdirSync(cache)[0] ?? '');
    const whole = readFileSync(archive);
    const damaged = damage(Buffer.from(whole));
    rmSync(archive);
    writeFileSync(archive, damaged);
    const service = await start({ RING_CACHE_DIR: cache, STATUS_TTL_SECONDS: '1' });
    await expectDecodes(service);
    expect(await isComplete(service)).toBe(true);
    expect(readFileSync(archive).equals(damaged)).toBe(false);
    await expectDecodes(service);
  });

  it.each([
    '-XX:+UseG1GC -Xms512m',
    '-XX:+UseParallelGC',
    '-Xmx1g -XX:TieredStopAtLevel=4',
    '-Xint',
    '-Xshare:off',
  ])('decodes with RING_OPTS=%s', async (RING_OPTS) => {
    const service = await start({}, { RING_OPTS });
    expect(await isComplete(service)).toBe(true);
    await expectDecodes(service);
  });

  it('does nothing with RING_JVM_TUNING=off', async () => {
    const cache = join(await tempDirectory(), 'cache');
    const service = await start({ RING_CACHE_DIR: cache, RING_JVM_TUNING: 'off', STATUS_TTL_SECONDS: '1' });
    await expectDecodes(service);
    expect(existsSync(cache)).toBe(false);
    expect(said(service, 'JVM tuning')).toBe(0);
  });
});
