import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveMethod } from '../../src/ring/jvm/archive.js';
import { expectDocumented } from '../support/contract.js';
import { buildJvmRing, installedJres, JVM_LICENSE } from '../support/jvm-ring.js';
import { processesIn } from '../support/processes.js';
import { eventually, startTestService, upload, type TestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';
import { missing } from '../support/tools.js';

const hasJavac = !missing.includes('javac');
const JRES = hasJavac ? installedJres('decodes with a real JVM') : [];
/** Milliseconds to wait for what must happen, on a machine that is very busy. */
const WAIT_MS = 45_000;

/** An environment in which nothing but a way to find java is set. */
const EMPTY = { PATH: process.env['PATH'] };

const PLAIN = {
  licName: '332588056123456-8100123456',
  pinCode: '332-588-056-123-456',
  licData: 'Информация о пользователе:\n    Имя: Иван\n    Компания: ООО "Ёлки—палки" №1',
  validateData:
    'Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры не соответствуют:\n    Имя компьютера: СЕРВЕР-1',
  licHWConfig: null,
  currentHWConfig: null,
};
const DETAILED = {
  ...PLAIN,
  licHWConfig: 'Computer name : СЕРВЕР-1\nRAM : 34359738368',
  currentHWConfig: 'OS name : Linux\nComputer name : узел-7',
};

let directory: string;
let launcher: string;
beforeAll(() => {
  if (hasJavac) ({ directory, launcher } = buildJvmRing());
});
afterAll(() => {
  if (hasJavac) rmSync(directory, { recursive: true });
});

const start = (settings: Record<string, string> = {}, env: NodeJS.ProcessEnv = EMPTY) =>
  startTestService({ RING_CMD: launcher, ...settings }, env);

/** A license on which the stand-in does something else as well. */
const licenseTo = (instruction: string) => Buffer.concat([JVM_LICENSE, Buffer.from(instruction)]);

const logged = (service: TestService, text: string) =>
  service.log.some((record) => JSON.stringify(record).includes(text));

/** True while a process of a decode runs that ring command. Launchers and JVMs work in the decode's directory. */
const runs = (service: TestService, command: string) =>
  processesIn(service.tmpBase).some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0Ring\0license\0${command}\0`);
    } catch {
      return false;
    }
  });

async function expectNothingLeft(service: TestService): Promise<void> {
  expect(await eventually(() => processesIn(service.tmpBase).length === 0, WAIT_MS)).toBe(true);
  expect(await eventually(() => service.files().length === 0, WAIT_MS)).toBe(true);
}

describe.each(JRES)('on $name', ({ major, env }) => {
  it.each(['off', 'on'])('decodes with RING_JVM_TUNING=%s, its Cyrillic text intact', async (tuning) => {
    const service = await start({ RING_JVM_TUNING: tuning }, env);
    if (tuning === 'on') {
      expect(await eventually(() => logged(service, 'JVM tuning is complete'), 2 * WAIT_MS)).toBe(true);
    }
    const plain = await upload(service, JVM_LICENSE);
    expectDocumented(plain);
    expect(plain.body).toEqual(PLAIN);
    const detailed = await upload(service, JVM_LICENSE).field('detailed', 'true');
    expectDocumented(detailed);
    expect(detailed.body).toEqual(DETAILED);
  });

  it.each(['list', 'info', 'validate'])(
    'leaves nothing when the client goes away during %s',
    async (command) => {
      const service = await start({}, env);
      const request = upload(service, licenseTo(`hang in ${command}`));
      request.end(() => undefined);
      expect(await eventually(() => runs(service, command), WAIT_MS)).toBe(true);
      request.abort();
      await expectNothingLeft(service);
    },
  );

  it(`${major < 17 ? 'keeps warnings about' : 'answers 503 on'} a reflective access to the JRE`, async () => {
    const service = await start({}, env);
    const response = await upload(service, licenseTo('reflect')).field('detailed', 'true');
    expectDocumented(response);
    if (major < 17) {
      expect(response.body).toEqual(DETAILED);
      return;
    }
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ error: 'ring_unavailable' });
    expect(logged(service, '--add-opens=')).toBe(true);

    const RING_OPTS = '--add-opens=java.base/java.lang=ALL-UNNAMED';
    const allowed = await start({}, { ...env, RING_OPTS });
    expect((await upload(allowed, licenseTo('reflect'))).body).toEqual(PLAIN);
  });

  if (archiveMethod(major, '') === undefined) return;
  it('makes an archive of its classes and starts from it', async () => {
    const cache = await tempDirectory();
    const traces = await tempDirectory();
    const RING_OPTS = `-Xlog:class+load:file=${join(traces, '%p')}`;
    const service = await start({ RING_JVM_TUNING: 'on', RING_CACHE_DIR: cache }, { ...env, RING_OPTS });
    expect(await eventually(() => logged(service, 'JVM tuning is complete'), 2 * WAIT_MS)).toBe(true);
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.jsa$/)]);

    const before = new Set(readdirSync(traces));
    const response = await upload(service, JVM_LICENSE).field('detailed', 'true');
    expect(response.body).toEqual(DETAILED);
    const runs = readdirSync(traces)
      .filter((name) => !before.has(name))
      .map((name) => readFileSync(join(traces, name), 'utf8'))
      // A poll of ring's version, which may come between, loads no license module.
      .filter((loaded) => loaded.includes(' License source:'));
    expect(runs).toHaveLength(3);
    for (const loaded of runs) expect(loaded).toMatch(/ Ring source: shared objects file/);
  });
});

describe('with a real JVM behind a shell launcher', { tags: 'javac' }, () => {
  it('RING_LANG chooses the language, not the locale', async () => {
    const service = await start(
      { RING_LANG: 'en' },
      { ...EMPTY, LANG: 'ru_RU.UTF-8', LC_ALL: 'ru_RU.KOI8-R' },
    );
    const response = await upload(service, JVM_LICENSE);
    expect(response.body).toMatchObject({
      licData: 'Customer information:\n    First name: Иван\n    Company: Ёлки—палки LLC',
    });
  });

  it.each([
    ['an unknown option', '-XX:+NoSuchFlag'],
    ['an impossible heap', '-Xmx1k'],
    ['too little memory for the program', '-Xmx2m -Xms2m -XX:MaxMetaspaceSize=2m'],
    ['a missing main class', '-Djava.class.path=/nonexistent -cp /nonexistent Nope'],
  ])('RING_OPTS with %s: 503', async (_title, RING_OPTS) => {
    const response = await upload(await start({}, { ...EMPTY, RING_OPTS }), JVM_LICENSE);
    expectDocumented(response);
    expect(response.body).toMatchObject({ error: 'ring_unavailable' });
  });

  it('a file that ring can not decode: 422', async () => {
    const response = await upload(await start(), Buffer.from('no license'));
    expectDocumented(response);
    expect(response.body).toMatchObject({ error: 'license_undecodable' });
  });

  it('/api/status sees the JRE and ring', async () => {
    const response = await supertest((await start()).url)
      .get('/api/status')
      .expect(200);
    expect(response.body).toMatchObject({
      jre: { installed: true, valid: true },
      ring: { version: '0.19.5-12' },
    });
  });

  it.each(['list', 'info'])('leaves nothing when %s takes too long', async (command) => {
    const service = await start({ RING_TIMEOUT_MS: '6000' });
    const response = await upload(service, licenseTo(`hang in ${command}`));
    expect(response.body).toMatchObject({ error: 'ring_timeout' });
    await expectNothingLeft(service);
  });

  it('removes what the JVM unpacks along with the decode', async () => {
    const unpacked = () => readdirSync(tmpdir()).filter((name) => /^ring-library.*\.so$/.test(name));
    const before = unpacked();
    const service = await start();
    await upload(service, licenseTo('unpack a library')).expect(200);
    expect(unpacked()).toEqual(before);
    expect(service.files()).toEqual([]);
  });
});
