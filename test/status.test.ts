import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  isValidJre,
  isValidRing,
  parseJavaVersion,
  parseRingVersion,
} from '../src/ring/versions.js';
import { expectDocumented } from './support/contract.js';
import { fakeRing, print, quote, transcript } from './support/fake-ring.js';
import { eventually, startTestService, upload } from './support/service.js';
import { tempDirectory } from './support/temp.js';

/** Makes a JAVA_HOME whose java prints that to stderr. */
async function javaHome(stderr: string): Promise<string> {
  const home = await tempDirectory();
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin/java'), `#!/bin/sh\nprintf %s ${quote(stderr)} >&2\n`, { mode: 0o755 });
  return home;
}

const java17 = () => javaHome(transcript('java-version-17.stderr.txt'));
const withJava = (home: string) => ({ ...process.env, JAVA_HOME: home });

describe('GET /api/status', () => {
  it('answers 200 when both are there and new enough', async () => {
    const service = await startTestService({ RING_CMD: await fakeRing() }, withJava(await java17()));
    const response = await supertest(service.url).get('/api/status');
    expectDocumented(response, '/api/status', 'get');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      jre: { installed: true, version: '17.0.15', valid: true },
      ring: { installed: true, version: '0.19.5-12', valid: true },
      ready: true,
    });
    await supertest(service.url).head('/api/status').expect(200);
  });

  it('answers 503 with the same body when they are missing', async () => {
    const service = await startTestService({ RING_CMD: '/nonexistent/ring' }, { PATH: '/nonexistent' });
    const response = await supertest(service.url).get('/api/status');
    expectDocumented(response, '/api/status', 'get');
    expect(response.status).toBe(503);
    expect(response.body).toEqual({
      jre: { installed: false, version: '', valid: false },
      ring: { installed: false, version: '', valid: false },
      ready: false,
    });
  });

  it('answers 503 when the JRE is too old', async () => {
    const old = await javaHome(transcript('java-version-8-too-old.stderr.txt'));
    const service = await startTestService({ RING_CMD: await fakeRing() }, withJava(old));
    const response = await supertest(service.url).get('/api/status').expect(503);
    expect(response.body).toMatchObject({
      jre: { installed: true, version: '1.8.0_152', valid: false },
      ready: false,
    });
  });

  it('answers 503 when ring is too old', async () => {
    const service = await startTestService(
      { RING_CMD: await fakeRing({ version: 'echo 0.11.5-2' }) },
      withJava(await java17()),
    );
    const response = await supertest(service.url).get('/api/status').expect(503);
    expect(response.body).toMatchObject({ ring: { installed: true, version: '0.11.5-2', valid: false } });
  });

  it('is found on the PATH when nothing else is said', async () => {
    const ring = await fakeRing();
    const path = `${ring.replace(/\/ring$/, '')}:${process.env['PATH'] ?? ''}`;
    const service = await startTestService({}, { PATH: path, JAVA_HOME: await java17() });
    await supertest(service.url).get('/api/status').expect(200);
    await upload(service).expect(200);
  });

  it('starts no process for a probe', async () => {
    const count = join(await tempDirectory(), 'count');
    const service = await startTestService(
      { RING_CMD: await fakeRing({ version: `echo x >>'${count}'; sleep 0.3; echo 0.19.5-12` }) },
      withJava(await java17()),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => supertest(service.url).get('/api/status')),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await readFile(count, 'utf8')).toBe('x\n');
  });

  it('sees a ring that is installed later, and one that goes, without a restart', async () => {
    const ring = await fakeRing();
    await rename(ring, `${ring}.later`);
    const service = await startTestService(
      { RING_CMD: ring, STATUS_TTL_SECONDS: '1' },
      withJava(await java17()),
    );
    const isReady = async () => (await supertest(service.url).get('/api/status')).status === 200;
    expect(await isReady()).toBe(false);
    await rename(`${ring}.later`, ring);
    expect(await eventually(isReady)).toBe(true);
    await chmod(ring, 0o644);
    expect(await eventually(async () => !(await isReady()))).toBe(true);
    expect(service.log.filter(({ msg }) => String(msg).includes('ready to decode'))).toHaveLength(3);
  });

  it('stays ready while every slot is taken and the queue is full', async () => {
    const service = await startTestService(
      {
        RING_CMD: await fakeRing({ list: `sleep 2; ${print('list-one-ru.txt')}` }),
        RING_CONCURRENCY: '1',
        RING_QUEUE_LIMIT: '1',
        STATUS_TTL_SECONDS: '1',
      },
      withJava(await java17()),
    );
    const decodes = [1, 2, 3].map(() => upload(service).then(({ status }) => status));
    for (let i = 0; i < 8; i++) {
      await supertest(service.url).get('/api/status').expect(200);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect((await Promise.all(decodes)).sort()).toEqual([200, 200, 503]);
  });
});

describe('GET /healthz', () => {
  it('answers 200 as long as the process serves', async () => {
    const service = await startTestService({ RING_CMD: '/nonexistent' });
    const response = await supertest(service.url).get('/healthz').expect(200);
    expectDocumented(response, '/healthz', 'get');
  });
});

describe('the version of the JRE', () => {
  it.each<[string, boolean]>([
    ['java version "1.4.2_19"', false],
    ['java version "1.7.0_80"', false],
    ['java version "1.8.0"', false],
    ['java version "1.8.0_152"', false],
    ['java version "1.8.0_161"', true],
    ['openjdk version "1.8.0_161-b12"', true],
    ['openjdk version "1.8.0_402"', true],
    ['openjdk version "1.8.0-internal"', false],
    ['openjdk version "1.9.0-ea"', true],
    ['java version "9"', true],
    ['openjdk version "9-Debian"', true],
    ['openjdk version "9.0.4"', true],
    ['openjdk version "10.0.2" 2018-07-17', true],
    ['openjdk version "11.0.25" 2024-10-15 LTS', true],
    ['openjdk version "17.0.15" 2025-04-15', true],
    ['openjdk version "21" 2023-09-19', true],
    ['openjdk version "25-ea" 2025-09-16', true],
    ['Picked up JAVA_TOOL_OPTIONS: -Dversion="7"\nopenjdk version "21.0.2" 2024-01-16', true],
  ])('%s: valid %s', (output, valid) => {
    const version = parseJavaVersion(`${output}\nOpenJDK Runtime Environment (build x)\n`);
    expect(version && isValidJre(version)).toBe(valid);
  });

  it.each(['', 'sh: java: not found', 'version 17', 'java version 17'])('%j is none', (output) => {
    expect(parseJavaVersion(output)).toBeUndefined();
  });
});

describe('the version of ring', () => {
  it.each<[string, string, boolean]>([
    ['0.19.5-12\n', '0.19.5-12', true],
    ['0.20.0+4\r\n', '0.20.0+4', true],
    ['[WARN  ] a.b - c 1.2.3\n0.11.5-3\n', '0.11.5-3', true],
    ['0.11.5-2', '0.11.5-2', false],
    ['0.11.5', '0.11.5', false],
    ['0.11.10-1', '0.11.10-1', true],
    ['0.9.99-99', '0.9.99-99', false],
    ['1.0.0', '1.0.0', true],
    ['0.19.5+12-x86_64', '0.19.5+12-x86_64', true],
  ])('%j: %s, valid %s', (output, text, valid) => {
    const version = parseRingVersion(output);
    expect(version?.text).toBe(text);
    expect(version && isValidRing(version)).toBe(valid);
  });

  it.each(['', 'sh: 1: ring: not found', '0.19', 'ring 0.19.5'])('%j is none', (output) => {
    expect(parseRingVersion(output)).toBeUndefined();
  });

  it('is compared by number, not by letter', () => {
    expect(compareVersions([0, 9, 0], [0, 10, 0])).toBeLessThan(0);
    expect(compareVersions([0, 11], [0, 11, 0, 0])).toBe(0);
  });
});
