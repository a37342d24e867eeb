import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jvmOptions } from '../src/ring/jvm-tuning.js';
import { fakeRing } from './support/fake-ring.js';
import { compileJvmRing, JVM_LICENSE } from './support/jvm-ring.js';
import { isInstalled } from './support/servers.js';
import { eventually, startTestService, upload, type TestService } from './support/service.js';
import { tempDirectory } from './support/temp.js';

const COMMON = ['-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-XX:+UseSerialGC', '-Xmx256m'];
const LOG = ['-Xlog:disable', '-Xlog:all=warning:stderr'];

describe('the options', () => {
  it.each([8])('of Java %i have no unified log', (major) => {
    expect(jvmOptions(major, '')).toEqual(COMMON);
  });

  it.each([9, 11, 13])('of Java %i keep the unified log off stdout', (major) => {
    expect(jvmOptions(major, '')).toEqual([...COMMON, ...LOG]);
  });

  it.each([17, 19, 21, 25])('of Java %i leave archived classes where they are', (major) => {
    expect(jvmOptions(major, '')).toEqual([
      ...COMMON,
      ...LOG,
      '-XX:+UnlockDiagnosticVMOptions',
      '-XX:ArchiveRelocationMode=0',
    ]);
  });

  it.each<[string, string[]]>([
    ['-XX:+UseG1GC', COMMON.filter((option) => !option.includes('Serial'))],
    ['-XX:+UseParallelGC -Dx', COMMON.filter((option) => !option.includes('Serial'))],
    ['-Xms512m', COMMON.filter((option) => !option.includes('Xmx'))],
    ['-XX:InitialHeapSize=512m', COMMON.filter((option) => !option.includes('Xmx'))],
    ['-XX:InitialRAMPercentage=50', COMMON.filter((option) => !option.includes('Xmx'))],
    ['-Dfile.encoding=UTF-8', COMMON],
  ])('leave out what RING_OPTS=%s would contradict', (operatorOptions, expected) => {
    expect(jvmOptions(8, operatorOptions)).toEqual(expected);
  });
});

const hasJavac = isInstalled('javac', 'default-jdk-headless', 'tuning a real JVM');

const said = (service: TestService, text: string) =>
  service.log.filter(({ msg }) => String(msg).includes(text)).length;
const isArchived = (service: TestService) =>
  eventually(() => said(service, 'archive of its classes') === 1, 20_000);
const isLessTuned = (service: TestService) => eventually(() => said(service, 'less tuning') === 1, 20_000);

describe.skipIf(!hasJavac)('a real JVM, tuned', () => {
  let directory: string;
  let ring: string;
  beforeAll(() => {
    ({ directory, launcher: ring } = compileJvmRing());
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const start = (settings: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) =>
    startTestService(
      { RING_CMD: ring, RING_JVM_TUNING: 'on', ...settings },
      { PATH: process.env['PATH'], ...env },
    );

  async function expectDecodes(service: TestService): Promise<void> {
    const response = await upload(service, JVM_LICENSE).field('detailed', 'true');
    expect(response.body).toMatchObject({
      licData: 'Информация о пользователе:\n    Имя: Иван\n    Компания: ООО "Ёлки—палки" №1',
      licHWConfig: 'Computer name : СЕРВЕР-1\nRAM : 34359738368',
    });
  }

  it('decodes before, while and after its archive is made, and starts from it', async () => {
    const cache = await tempDirectory();
    const trace = join(await tempDirectory(), 'classes');
    const service = await start(
      { RING_CACHE_DIR: cache },
      { RING_OPTS: `-Xlog:class+load:file=${trace}-%p` },
    );
    while (said(service, 'archive of its classes') === 0) await expectDecodes(service);
    const before = new Set(readdirSync(resolve(trace, '..')));
    await expectDecodes(service);
    const traces = readdirSync(resolve(trace, '..')).filter((name) => !before.has(name));
    expect(traces).toHaveLength(3);
    for (const name of traces)
      expect(readFileSync(resolve(trace, '..', name), 'utf8')).toMatch(
        / Ring source: shared objects file \(top\)/,
      );
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.jsa$/)]);
    expect(said(service, 'less tuning')).toBe(0);
  });

  it('is made once for all replicas and starts that share the cache', async () => {
    const cache = await tempDirectory();
    const services = await Promise.all([start({ RING_CACHE_DIR: cache }), start({ RING_CACHE_DIR: cache })]);
    for (const service of services) expect(await isArchived(service)).toBe(true);
    const [name = ''] = readdirSync(cache);
    const { mtimeMs } = statSync(join(cache, name));
    const later = await start({ RING_CACHE_DIR: cache });
    expect(await isArchived(later)).toBe(true);
    expect(readdirSync(cache)).toEqual([name]);
    expect(statSync(join(cache, name)).mtimeMs).toBe(mtimeMs);
    await expectDecodes(later);
  });

  it('makes another archive for other options', async () => {
    const cache = await tempDirectory();
    expect(await isArchived(await start({ RING_CACHE_DIR: cache }))).toBe(true);
    expect(await isArchived(await start({ RING_CACHE_DIR: cache }, { RING_OPTS: '-Dx=y' }))).toBe(true);
    expect(readdirSync(cache)).toHaveLength(2);
  });

  it('decodes with an archive that is damaged', async () => {
    const cache = await tempDirectory();
    expect(await isArchived(await start({ RING_CACHE_DIR: cache }))).toBe(true);
    const [name = ''] = readdirSync(cache);
    const bytes = readFileSync(join(cache, name));
    for (const damage of [
      (whole: Buffer) => whole.subarray(0, 5000),
      () => Buffer.alloc(0),
      (whole: Buffer) => whole.fill(7, 0, 4096),
    ]) {
      rmSync(join(cache, name));
      writeFileSync(join(cache, name), damage(Buffer.from(bytes)));
      await expectDecodes(await start({ RING_CACHE_DIR: cache }));
    }
  });

  it.each([
    '-XX:+UseG1GC -Xms512m',
    '-XX:+UseParallelGC',
    '-Xmx1g -XX:TieredStopAtLevel=4',
    '-Xint',
    '-Xshare:off',
  ])('decodes with RING_OPTS=%s', async (options) => {
    const service = await start({}, { RING_OPTS: options });
    expect(
      await eventually(
        () => said(service, 'archive of its classes') + said(service, 'less tuning') === 1,
        20_000,
      ),
    ).toBe(true);
    await expectDecodes(service);
  });

  it('decodes without an archive when the cache can be written to by others, and says so once', async () => {
    const cache = await tempDirectory();
    chmodSync(cache, 0o777);
    const service = await start({ RING_CACHE_DIR: cache, STATUS_TTL_SECONDS: '1' });
    expect(await isLessTuned(service)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(said(service, 'less tuning')).toBe(1);
    expect(readdirSync(cache)).toEqual([]);
    await expectDecodes(service);
  });

  it('decodes without an archive when there is no room for the cache', async () => {
    const file = join(await tempDirectory(), 'file');
    writeFileSync(file, '');
    const service = await start({ RING_CACHE_DIR: join(file, 'cache') });
    expect(await isLessTuned(service)).toBe(true);
    await expectDecodes(service);
  });

  it('is left alone with RING_JVM_TUNING=off', async () => {
    const cache = join(await tempDirectory(), 'cache');
    const service = await start({ RING_CACHE_DIR: cache, RING_JVM_TUNING: 'off', STATUS_TTL_SECONDS: '1' });
    await expectDecodes(service);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(existsSync(cache)).toBe(false);
  });
});

it('options that ring does not start with are not used', async () => {
  const refuse = `case "$RING_OPTS" in *TieredStopAtLevel*) echo "Unrecognized VM option" >&2; exit 1 ;; esac`;
  const java = await tempDirectory();
  mkdirSync(join(java, 'bin'));
  writeFileSync(join(java, 'bin/java'), '#!/bin/sh\necho \'openjdk version "99"\' >&2\n', { mode: 0o755 });
  const service = await startTestService(
    { RING_CMD: await fakeRing({ always: refuse }), RING_JVM_TUNING: 'on' },
    { ...process.env, JAVA_HOME: java },
  );
  expect(await isLessTuned(service)).toBe(true);
  await upload(service).expect(200);
});
