import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  /** The archives in TMP_BASE, also those of other services that share it. */
  const archivesOf = ({ tmpBase }: TestService) => {
    const directories = readdirSync(tmpBase).filter((name) => name.startsWith('archive-'));
    return directories.map((name) => join(tmpBase, name, 'classes.jsa'));
  };

  it('gives each service that shares TMP_BASE an archive of its own, and removes it with the service', async () => {
    const TMP_BASE = await tempDirectory();
    const [first, second] = [await start({ TMP_BASE }), await start({ TMP_BASE })];
    for (const service of [first, second]) await expectTuned(service);
    expect(archivesOf(first)).toHaveLength(2);
    for (const service of [first, second]) await expectDecodes(service);

    await first.stop();
    expect(archivesOf(second)).toHaveLength(1);
    await expectDecodes(second);
    await second.stop();
    expect(readdirSync(TMP_BASE)).toEqual([]);
  });

  it('decodes when a cleaner has emptied TMP_BASE or removed it, and makes the archive again', async () => {
    const service = await start({ STATUS_TTL_SECONDS: '1' });
    await expectTuned(service);
    for (const cleaned of [archivesOf(service)[0] ?? '', service.tmpBase]) {
      rmSync(cleaned, { recursive: true });
      await expectDecodes(service);
      await until(() => archivesOf(service).some((archive) => existsSync(archive)));
      await expectDecodes(service);
    }
  });

  it('replaces an archive that is damaged while the service runs, after one decode has failed', async () => {
    const service = await start();
    await expectTuned(service);
    const [archive = ''] = archivesOf(service);
    const whole = readFileSync(archive);
    // ring still tells its version with this archive, so a trial would accept it.
    const damaged = Buffer.from(whole).fill(7, 8192, whole.length / 4);
    writeFileSync(archive, damaged);

    await upload(service, JVM_LICENSE).expect(503);
    await until(() => archivesOf(service).some((other) => other !== archive));
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
