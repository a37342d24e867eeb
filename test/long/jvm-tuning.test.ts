import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectTuned, JVM_LICENSE, withJvmRing } from '../support/jvm-ring.js';
import { upload, type TestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

describe('tuning of a running service', { tags: 'javac' }, () => {
  const launch = withJvmRing();
  const start = (settings: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) =>
    launch({ RING_JVM_TUNING: 'on', ...settings }, env);

  const expectDecodes = async (service: TestService) =>
    await upload(service, JVM_LICENSE).field('detailed', 'true').expect(200);

  it('makes one archive for all replicas and starts that share the cache', async () => {
    const cache = await tempDirectory();
    const services = await Promise.all([start({ RING_CACHE_DIR: cache }), start({ RING_CACHE_DIR: cache })]);
    for (const service of services) await expectTuned(service);
    const [name = ''] = readdirSync(cache);
    const { mtimeMs } = statSync(join(cache, name));
    const later = await start({ RING_CACHE_DIR: cache });
    await expectTuned(later);
    expect(readdirSync(cache)).toEqual([name]);
    expect(statSync(join(cache, name)).mtimeMs).toBe(mtimeMs);
    await expectDecodes(later);
  });

  it.each<[string, (whole: Buffer) => Buffer]>([
    ['cut off', (whole) => whole.subarray(0, 5000)],
    ['overwritten inside', (whole) => whole.fill(7, 8192)],
  ])('replaces an archive that is %s', async (_title, damage) => {
    const cache = await tempDirectory();
    await expectTuned(await start({ RING_CACHE_DIR: cache }));
    const archive = join(cache, readdirSync(cache)[0] ?? '');
    const whole = readFileSync(archive);
    const damaged = damage(Buffer.from(whole));
    rmSync(archive);
    writeFileSync(archive, damaged);
    const service = await start({ RING_CACHE_DIR: cache, STATUS_TTL_SECONDS: '1' });
    await expectDecodes(service);
    await expectTuned(service);
    expect(readFileSync(archive).equals(damaged)).toBe(false);
    await expectDecodes(service);
  });

  it('replaces an archive that is damaged while the service runs, after one decode has failed', async () => {
    const cache = await tempDirectory();
    const service = await start({ RING_CACHE_DIR: cache });
    await expectTuned(service);
    const archive = join(cache, readdirSync(cache)[0] ?? '');
    const whole = readFileSync(archive);
    // ring still tells its version with this archive, so a trial would accept it.
    const damaged = Buffer.from(whole).fill(7, 8192, whole.length / 4);
    writeFileSync(archive, damaged);

    await upload(service, JVM_LICENSE).expect(503);
    await until(() => existsSync(archive) && !readFileSync(archive).equals(damaged));
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
    await expectTuned(service);
    await expectDecodes(service);
  });
});
