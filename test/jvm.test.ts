import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { compileJvmRing, JVM_LICENSE } from './support/jvm-ring.js';
import { processesIn } from './support/processes.js';
import { isInstalled } from './support/servers.js';
import { eventually, startTestService, upload, type TestService } from './support/service.js';

const hasJavac = isInstalled('javac', 'default-jdk-headless', 'the end-to-end suite with a real JVM');

/** What a service has that was started with an empty environment: nothing but a way to find java. */
const EMPTY = { PATH: process.env['PATH'] };

describe.skipIf(!hasJavac)(
  'with a real JVM behind a shell launcher, started with an empty environment',
  () => {
    let directory: string;
    let launcher: string;
    beforeAll(() => {
      ({ directory, launcher } = compileJvmRing());
    });
    afterAll(() => {
      rmSync(directory, { recursive: true });
    });
    const start = (settings: Record<string, string> = {}, env: NodeJS.ProcessEnv = EMPTY) =>
      startTestService({ RING_CMD: launcher, ...settings }, env);

    /** The running processes of all decodes: launchers and JVMs work in the decode's directory. */
    const processes = (service: TestService) => processesIn(service.tmpBase);

    it('Cyrillic arrives whole, log records and warnings do not', async () => {
      const response = await upload(await start(), JVM_LICENSE).field('detailed', 'true');
      expectDocumented(response);
      expect(response.body).toEqual({
        licName: '332588056123456-8100123456',
        pinCode: '332-588-056-123-456',
        licData: 'Информация о пользователе:\n    Имя: Иван\n    Компания: ООО "Ёлки—палки" №1',
        validateData:
          'Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры не соответствуют:\n    Имя компьютера: СЕРВЕР-1',
        licHWConfig: 'Computer name : СЕРВЕР-1\nRAM : 34359738368',
        currentHWConfig: 'OS name : Linux\nComputer name : узел-7',
      });
    });

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

    it("a broken RING_OPTS is the operator's fault: 503", async () => {
      const response = await upload(await start({}, { ...EMPTY, RING_OPTS: '-XX:+NoSuchFlag' }), JVM_LICENSE);
      expectDocumented(response);
      expect(response.body).toMatchObject({ error: 'ring_unavailable' });
    });

    it.each([
      ['a heap that can not be had', '-Xmx1k'],
      ['no memory for the program', '-Xmx2m -Xms2m -XX:MaxMetaspaceSize=2m'],
      ['no main class', '-Djava.class.path=/nonexistent -cp /nonexistent Nope'],
    ])('%s: 503', async (_title, options) => {
      const response = await upload(await start({}, { ...EMPTY, RING_OPTS: options }), JVM_LICENSE);
      expect(response.body).toMatchObject({ error: 'ring_unavailable' });
    });

    it('a file it can not decode: 422', async () => {
      const response = await upload(await start(), Buffer.from('something else'));
      expect(response.body).toMatchObject({ error: 'license_undecodable' });
    });

    it('the JRE and ring are seen by /api/status', async () => {
      const response = await supertest((await start()).url)
        .get('/api/status')
        .expect(200);
      expect(response.body).toMatchObject({
        jre: { installed: true, valid: true },
        ring: { version: '0.19.5-12' },
      });
    });

    it.each(['list', 'info', 'validate'])(
      'no process and no file is left when the client goes away during %s',
      async (command) => {
        const service = await start();
        const request = upload(service, Buffer.concat([JVM_LICENSE, Buffer.from(`hang in ${command}`)]));
        request.end(() => undefined);
        // By then the command hangs, in a launcher and its JVM.
        await new Promise((resolve) => setTimeout(resolve, 1500));
        expect(processes(service).length).toBeGreaterThanOrEqual(2);
        request.abort();
        expect(await eventually(() => processes(service).length === 0, 1000)).toBe(true);
        expect(await eventually(() => service.files().length === 0, 1000)).toBe(true);
      },
    );

    it.each(['list', 'info', 'validate'])(
      'no process and no file is left when %s takes too long',
      async (command) => {
        const service = await start({ RING_TIMEOUT_MS: '2500' });
        const response = await upload(
          service,
          Buffer.concat([JVM_LICENSE, Buffer.from(`hang in ${command}`)]),
        );
        expect(response.body).toMatchObject({ error: 'ring_timeout' });
        expect(await eventually(() => processes(service).length === 0, 1000)).toBe(true);
        expect(service.files()).toEqual([]);
      },
    );

    it('what the JVM unpacks goes with the decode', async () => {
      const before = unpacked();
      const service = await start();
      await upload(service, Buffer.concat([JVM_LICENSE, Buffer.from('unpack a library')])).expect(200);
      expect(unpacked()).toEqual(before);
      expect(service.files()).toEqual([]);
    });
  },
);

/** What JVMs left in the machine's own directory for temporary files. */
const unpacked = () => readdirSync(tmpdir()).filter((name) => /^ring-library.*\.so$/.test(name));
