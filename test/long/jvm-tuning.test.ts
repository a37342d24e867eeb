import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

  it('decodes when a cleaner has removed the archive, or all of TMP_BASE', async () => {
    const service = await start();
    await expectTuned(service);
    for (const cleaned of [archivesOf(service)[0] ?? '', service.tmpBase]) {
      rmSync(cleaned, { recursive: true });
      await expectDecodes(service);
    }
  });

  it('removes an archive that is damaged while the service runs, after one decode has failed', async () => {
    const service = await start();
    await expectTuned(service);
    const [archive = ''] = archivesOf(service);
    const whole = readFileSync(archive);
    writeFileSync(archive, Buffer.from(whole).fill(7, 8192, whole.length / 4));

    await upload(service, JVM_LICENSE).expect(502);
    await expect.poll(() => archivesOf(service)).toEqual([]);
    await expectDecodes(service);
  });

  it('starts ring from a new archive after a jar was updated in place', async () => {
    const traces = await tempDirectory();
    const RING_OPTS = `-Xlog:class+load:file=${join(traces, '%p')}`;
    const service = await start({ STATUS_TTL_SECONDS: '1' }, { RING_OPTS });
    await expectTuned(service);
    const [before = ''] = archivesOf(service);
    const later = new Date(Date.now() + 60_000);
    const ready = service.log.find(({ msg }) => msg === 'ready to decode') as { ring: { path: string } };
    utimesSync(join(dirname(ready.ring.path), 'lib/ring.jar'), later, later);

    await until(() => archivesOf(service).some((archive) => archive !== before && existsSync(archive)));
    await until(() => service.log.filter(({ msg }) => msg === 'JVM tuning is complete').length === 2);
    for (const name of readdirSync(traces)) rmSync(join(traces, name));
    await expectDecodes(service);
    const loaded = readdirSync(traces).map((name) => readFileSync(join(traces, name), 'utf8'));
    const decodes = loaded.filter((text) => text.includes(' License source:'));
    expect(decodes.length).toBeGreaterThanOrEqual(3);
    for (const text of decodes.slice(0, 3)) expect(text).toMatch(/ Ring source: shared objects file/);
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
