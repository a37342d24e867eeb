import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing, print, quote, transcript, type FakeRing } from './support/fake-ring.js';
import { LICENSE, startTestService, upload } from './support/service.js';
import { tempDirectory } from './support/temp.js';

async function decodeWith(commands: FakeRing, { detailed = false } = {}) {
  const service = await startTestService({ RING_CMD: await fakeRing(commands) });
  const request = upload(service);
  const response = await (detailed ? request.field('detailed', 'true') : request);
  expectDocumented(response);
  expect(service.files()).toEqual([]);
  return { service, response, body: response.body as Record<string, unknown> };
}

describe('a decode', () => {
  it('answers with exactly the six fields, hardware null', async () => {
    const { response } = await decodeWith({});
    expect(response.status).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toEqual({
      licName: '332588056123456-8100123456',
      pinCode: '332-588-056-123-456',
      licData: transcript('info-one-ru.txt').trim(),
      validateData: transcript('validate-mismatch-ru.txt').trim(),
      licHWConfig: null,
      currentHWConfig: null,
    });
  });

  it('adds both hardware configurations when detailed is true', async () => {
    const { body } = await decodeWith({}, { detailed: true });
    expect(body['validateData']).toBe(transcript('validate-mismatch-ru.txt').trim());
    expect(body['licHWConfig']).toMatch(
      /^OS name : Windows Server 2016\n[^]*\nHard disk : INTEL SSDSC2BB480G7, size 480103981056$/,
    );
    expect(body['currentHWConfig']).toMatch(
      /^OS name : Linux\n[^]*\nNetwork adapter : eth0, MAC 02:42:AC:11:00:02$/,
    );
    expect(JSON.stringify(body)).not.toMatch(/DEBUG|WARN|Customer info|previous pin/);
  });

  it.each(['false', 'TRUE', 'True', '1', ' true', 'true ', ''])('takes detailed=%j for no', async (value) => {
    const service = await startTestService({ RING_CMD: await fakeRing() });
    const response = await upload(service).field('detailed', value);
    expect(response.status).toBe(200);
    expect((response.body as Record<string, unknown>)['licHWConfig']).toBeNull();
  });

  it('takes detailed from before the file, too', async () => {
    const service = await startTestService({ RING_CMD: await fakeRing() });
    const form = new FormData();
    form.append('detailed', 'true');
    form.append('license', new Blob([LICENSE]), 'a.lic');
    const response = await fetch(`${service.url}/api/decode`, { method: 'POST', body: form });
    expect(((await response.json()) as Record<string, unknown>)['licHWConfig']).toContain(
      'Windows Server 2016',
    );
  });

  it.each<[string, string, string, string]>([
    ['a Russian list', 'list-one-ru.txt', '332588056123456-8100123456', '332-588-056-123-456'],
    ['an English list', 'list-one-en.txt', '332588056123456-8100123456', '332-588-056-123-456'],
    ['a bare name with letters', 'list-bare.txt', '332588056123456-800123456G0', '332-588-056-123-456'],
    ['a 16-digit PIN and CRLF', 'list-crlf-en.txt', '9793552411773203-20009305688', '9793-5524-1177-3203'],
    ['a Cyrillic path with spaces', 'list-path-ru.txt', '332588056123456-8100123456', '332-588-056-123-456'],
    ['warnings before the name', 'list-warn-en.txt', '332588056123456-8100123456', '332-588-056-123-456'],
  ])('reads %s', async (_title, list, licName, pinCode) => {
    const { body } = await decodeWith({ list: print(list) });
    expect(body).toMatchObject({ licName, pinCode });
  });

  it.each([
    ['ru', 'ok', 0],
    ['en', 'ok', 0],
    ['ru', 'mismatch', 1],
    ['en', 'mismatch', 1],
  ])('passes on the verdict %s-%s, exit status %i', async (language, verdict, exitCode) => {
    const name = `validate-${verdict}-${language}.txt`;
    const { body } = await decodeWith({ validate: print(name, exitCode) });
    expect(body['validateData']).toBe(transcript(name).trim());
  });

  it('keeps log records and JVM warnings out of all texts', async () => {
    const noise = String.raw`printf '%s\n' 'OpenJDK 64-Bit Server VM warning: Sharing is only supported' '[0.012s][warning][cds] archive ignored' '[WARN  ] a.b.C - Cannot read' 'java.io.IOException: no' '	at a.b.C.run(C.java:1)' '[DEBUG ] x - y';`;
    const { body } = await decodeWith({
      list: `${noise} ${print('list-one-ru.txt')}`,
      info: `${noise} ${print('info-one-en.txt')}`,
      validate: `${noise} ${print('validate-ok-en.txt')}`,
    });
    expect(body['licData']).toBe(transcript('info-one-en.txt').trim());
    expect(body['validateData']).toBe(transcript('validate-ok-en.txt').trim());
  });

  it('takes the hardware of the record with this PIN out of several', async () => {
    const record = (name: string, pin: string, previous: string) =>
      `[DEBUG ] x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \nComputer name : ${name}\nCustomer info : \nИмя : Иван\npin : ${pin}\nprevious pin : ${previous}\n`;
    const output =
      record('OTHER', '111111111111111', '332588056123456') +
      record('OWN', '332588056123456', '111111111111111') +
      transcript('validate-ok-ru.txt');
    const { body, service } = await decodeWith(
      { debugValidate: `printf %s ${quote(output)}` },
      { detailed: true },
    );
    expect(body).toMatchObject({
      licHWConfig: 'Computer name : OWN',
      currentHWConfig: '',
      validateData: transcript('validate-ok-ru.txt').trim(),
    });
    expect(service.log.filter(({ msg }) => String(msg).includes('no longer prints'))).toHaveLength(1);
  });

  it('gives empty hardware and one warning when ring prints no markers', async () => {
    const { body, service } = await decodeWith(
      { debugValidate: print('validate-ok-en.txt') },
      { detailed: true },
    );
    expect(body).toMatchObject({ licHWConfig: '', currentHWConfig: '' });
    const warnings = service.log.filter(({ msg }) => String(msg).includes('no longer prints'));
    expect(warnings).toMatchObject([{ missing: ["the licence's hardware", "this machine's hardware"] }]);
  });

  it('hands ring the bytes as they came, in a directory and under a name of its own', async () => {
    const seen = await tempDirectory();
    const bytes = randomBytes(70_000);
    const service = await startTestService({
      RING_CMD: await fakeRing({
        list: `ls -ld "$4" >'${seen}/ls'; ls "$4" >>'${seen}/ls'; pwd >'${seen}/pwd'; stat -c %a . >'${seen}/mode'; cat "$4"/* >'${seen}/copy'; ${print('list-one-ru.txt')}`,
      }),
    });
    const response = await upload(service, bytes, '../../Лицензия (копия);rm -rf $HOME.LIC');
    expect(response.status).toBe(200);
    expect(await readFile(join(seen, 'copy'))).toEqual(bytes);
    expect(await readFile(join(seen, 'ls'), 'utf8')).toMatch(/\nlicense\.lic\n$/);
    expect(await readFile(join(seen, 'pwd'), 'utf8')).toMatch(/\/decode-\w{6}\n$/);
    expect(await readFile(join(seen, 'mode'), 'utf8')).toBe('700\n');
  });

  it('works when uploads lie on another file system than the decodes', async () => {
    const service = await startTestService({
      RING_CMD: await fakeRing(),
      UPLOAD_DIR: `/dev/shm/ld-test-${process.pid}`,
    });
    const response = await upload(service);
    expect(response.status).toBe(200);
    expect(service.files()).toEqual([]);
  });
});

describe('ring that can not decode', () => {
  it.each<[string, FakeRing]>([
    ['an empty list', { list: print('list-empty.txt') }],
    ['a list that fails', { list: print('list-nodir-ru.txt', 1) }],
    ['a list of nothing but records', { list: "echo '[WARN  ] a - b'" }],
    ['a name with an option in it', { list: 'echo "332588056123456---help"' }],
    ['a name with a path in it', { list: 'echo "332588056123456-../../etc"' }],
    ['a PIN of 14 digits', { list: 'echo 33258805612345-8100123456' }],
    ['a PIN of 17 digits', { list: 'echo 33258805612345678-8100123456' }],
    ['half a line', { list: 'printf 3325880561' }],
    ['garbage bytes', { list: 'head -c 5000 /dev/urandom' }],
    ['an info that fails', { info: print('info-unknown-ru.txt', 1) }],
    ['an info without a word', { info: 'exit 0' }],
    ['a list that fails after a name', { list: print('list-one-ru.txt', 3) }],
  ])('answers 422 for %s', async (_title, commands) => {
    const { response } = await decodeWith(commands);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ error: 'license_undecodable' });
    expect(JSON.stringify(response.body)).not.toMatch(/\/tmp|\/var|ring license|Ошибка|33258/);
  });

  it('answers 422 for an empty file without running ring', async () => {
    const ran = join(await tempDirectory(), 'ran');
    const service = await startTestService({ RING_CMD: await fakeRing({ list: `touch '${ran}'` }) });
    const response = await upload(service, Buffer.alloc(0));
    expect(existsSync(ran)).toBe(false);
    expectDocumented(response);
    expect(response.body).toMatchObject({ error: 'file_empty' });
    expect(service.files()).toEqual([]);
  });
});

describe('ring that can not be started', () => {
  const cannotRun: [string, FakeRing][] = [
    ['no Java', { list: 'exec java-that-is-not-there' }],
    [
      'a JVM that refuses its options',
      {
        list: `echo "Unrecognized VM option 'Foo'" >&2; echo 'Error: Could not create the Java Virtual Machine.' >&2; exit 1`,
      },
    ],
    [
      'a JVM without room for its heap',
      {
        list: `echo 'Error occurred during initialization of VM'; echo 'Could not reserve enough space'; exit 1`,
      },
    ],
    ['no main class', { info: `echo 'Error: Could not find or load main class a.B' >&2; exit 1` }],
    [
      'too old a JRE',
      {
        validate: `echo 'Exception in thread "main" java.lang.UnsupportedClassVersionError: a/B' >&2; exit 1`,
      },
    ],
    [
      'no memory left',
      { info: `echo 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space' >&2; exit 1` },
    ],
    ['a launcher that is killed', { list: 'kill -9 $$' }],
    ['a JVM that is killed', { list: `sh -c 'kill -9 $$'; exit $?` }],
  ];
  it.each(cannotRun)('answers 503 for %s', async (_title, commands) => {
    const { response, service } = await decodeWith(commands);
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ error: 'ring_unavailable' });
    expect(JSON.stringify(response.body)).not.toMatch(/java\.|Error:|RING_OPTS/);
    expect(service.log.find(({ code }) => code === 'ring_unavailable')?.['detail']).toBeTruthy();
  });

  it.each([
    ['that is not there', '/nonexistent/ring'],
    ['that is not executable', resolve(import.meta.dirname, 'transcripts/list-one-ru.txt')],
    ['that is a directory', '/usr/bin/'],
    ['that is on no PATH', 'ring-that-is-nowhere'],
  ])('answers 503 for a launcher %s', async (_title, command) => {
    const service = await startTestService({ RING_CMD: command });
    const response = await upload(service);
    expectDocumented(response);
    expect(response.body).toMatchObject({ error: 'ring_unavailable' });
    expect(service.files()).toEqual([]);
  });

  it.each<[string, FakeRing]>([
    ['list', { list: 'sleep 60' }],
    ['info', { info: 'sleep 60' }],
    ['validate', { validate: 'sleep 60' }],
  ])('answers 504 when %s takes too long', async (_title, commands) => {
    const service = await startTestService({ RING_CMD: await fakeRing(commands), RING_TIMEOUT_MS: '700' });
    const response = await upload(service);
    expectDocumented(response);
    expect(response.status).toBe(504);
    expect(response.body).toMatchObject({ error: 'ring_timeout' });
    expect(service.files()).toEqual([]);
  });
});

describe('what ring gets', () => {
  it("is an environment of its own, with UTF-8, the language and the operator's options last", async () => {
    const seen = await tempDirectory();
    const service = await startTestService(
      {
        RING_CMD: await fakeRing({
          list: `env >'${seen}/env'; readlink /proc/self/fd/0 >'${seen}/stdin'; ${print('list-one-en.txt')}`,
        }),
        RING_LANG: 'en',
      },
      {
        PATH: process.env['PATH'],
        JWT_SECRET: 'secret',
        REDIS_URL: 'redis://x',
        NODE_OPTIONS: '',
        RING_OPTS: '-Xmx64m -Da=b',
      },
    );
    await upload(service).expect(200);
    const env = await readFile(join(seen, 'env'), 'utf8');
    expect(env).toMatch(/^LC_ALL=C\.UTF-8$/m);
    expect(env).toMatch(
      /^RING_OPTS=.*-Dsun\.stdout\.encoding=UTF-8 .*-Dstdout\.encoding=UTF-8 .*-Duser\.language=en .* -Xmx64m -Da=b$/m,
    );
    expect(env).not.toMatch(/JWT_SECRET|REDIS_URL|NODE_OPTIONS/);
    expect(await readFile(join(seen, 'stdin'), 'utf8')).toBe('/dev/null\n');
  });
});
