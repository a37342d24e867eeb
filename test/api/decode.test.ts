import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { print, quote, transcript, transcriptPath, type FakeRing } from '../support/fake-ring.js';
import { LICENSE, startTestService, upload } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

async function decodeWith(commands: FakeRing = {}, { detailed = false } = {}) {
  const service = await startTestService({ RING_CMD: commands });
  const request = upload(service);
  const response = await (detailed ? request.field('detailed', 'true') : request);
  expect(service.files()).toEqual([]);
  return { service, response, body: response.body as Record<string, unknown> };
}

it('an empty file is answered 422, without running ring', async () => {
  const ran = join(await tempDirectory(), 'ran');
  const service = await startTestService({ RING_CMD: { list: `touch '${ran}'` } });
  expectError(await upload(service, Buffer.alloc(0)), 'file_empty');
  expect(existsSync(ran)).toBe(false);
  expect(service.files()).toEqual([]);
});

describe('a decode', () => {
  it('answers with exactly the six fields, hardware null', async () => {
    const { response } = await decodeWith();
    expectDocumented(response);
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
    const { response, body } = await decodeWith({}, { detailed: true });
    expectDocumented(response);
    expect(body['validateData']).toBe(transcript('validate-mismatch-ru.txt').trim());
    expect(body['licHWConfig']).toMatch(/^OS name : Windows Server 2016\n[^]*\nHard disk : INTEL/);
    expect(body['currentHWConfig']).toMatch(/^OS name : Linux\n[^]*\nNetwork adapter : eth0/);
    expect(JSON.stringify(body)).not.toMatch(/DEBUG|WARN|Customer info|previous pin/);
  });

  it('adds what the license says as data when structured is true', async () => {
    const service = await startTestService();
    const file = Buffer.from('bGljZW5zZQ==\nProduct code: 0000000001002');
    const plain = await upload(service, file);
    const response = await upload(service, file).field('structured', 'true');
    expectDocumented(response);
    const { structured, ...rest } = response.body as Record<string, unknown>;
    expect(rest).toEqual(plain.body);
    expect(structured).toMatchObject({ file: { productCode: '0000000001002' } });
  });

  it('tells previous PIN and hardware of the debug records as data when detailed is true, too', async () => {
    const debugValidate = `sed 's/^previous pin : /&332-588-056-654-321/' ${quote(transcriptPath('validate-debug-ru.txt'))}`;
    const service = await startTestService({ RING_CMD: { debugValidate } });
    const plain = await upload(service).field('structured', 'true');
    const detailed = await upload(service).field('structured', 'true').field('detailed', 'true');
    expectDocumented(detailed);
    expect(plain.body).toMatchObject({ structured: { previousPin: null } });
    const differences = expect.arrayContaining([
      { name: 'OS name', onlyInLicense: ['Windows Server 2016'], onlyInCurrent: ['Linux'] },
    ]) as unknown;
    const structured = { previousPin: '332588056654321', hardware: { differences } };
    expect(detailed.body).toMatchObject({ structured });
    expect(detailed.body).toMatchObject({ licHWConfig: expect.not.stringContaining('pin') as string });
  });

  it.each(['false', 'TRUE', 'True', '1', ' true', 'true ', ''])('takes %j for no', async (value) => {
    const service = await startTestService();
    const response = await upload(service).field('detailed', value).field('structured', value);
    expectDocumented(response);
    expect(response.body).toMatchObject({ licHWConfig: null, currentHWConfig: null });
    expect(response.body).not.toHaveProperty('structured');
  });

  it('takes fields from before and after the file', async () => {
    const service = await startTestService();
    const form = new FormData();
    form.append('detailed', 'true');
    form.append('license', new Blob([LICENSE]), 'a.lic');
    form.append('structured', 'true');
    const response = await fetch(`${service.url}/api/decode`, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({
      licHWConfig: expect.stringContaining('Windows Server 2016') as string,
      structured: expect.any(Object) as object,
    });
  });

  it.each([
    ['validate-ok-ru.txt', 0, true],
    ['validate-ok-en.txt', 0, true],
    ['validate-mismatch-ru.txt', 255, false],
    ['validate-mismatch-en.txt', 1, false],
    ['info-unknown-ru.txt', 1, null],
    ['list-nodir-ru.txt', 1, null],
    ['list-empty.txt', 0, null],
  ])('passes on %s with exit status %i, valid is %j; without a verdict the log says so', async (...row) => {
    const [name, exitCode, valid] = row;
    const service = await startTestService({ RING_CMD: { validate: print(name, exitCode) } });
    const response = await upload(service).field('structured', 'true');
    expectDocumented(response);
    expect(response.body).toMatchObject({ validateData: transcript(name).trim(), structured: { valid } });
    const warnings = service.log.filter((line) => 'missing' in line);
    expect(warnings).toMatchObject(valid === null ? [{ level: 40, missing: ['the verdict'] }] : []);
  });

  it('keeps log records and warnings of the JVM out of all texts', async () => {
    const noise = String.raw`printf '%s\n' 'OpenJDK 64-Bit Server VM warning: Sharing is only supported' '[WARN  ] a.b.C - Cannot read' 'java.io.IOException: no' '	at a.b.C.run(C.java:1)' '[DEBUG ] x - y';`;
    const { body } = await decodeWith({
      list: `${noise} ${print('list-one-ru.txt')}`,
      info: `${noise} ${print('info-one-en.txt')}`,
      validate: `${noise} ${print('validate-ok-en.txt')}`,
    });
    expect(body['licData']).toBe(transcript('info-one-en.txt').trim());
    expect(body['validateData']).toBe(transcript('validate-ok-en.txt').trim());
  });

  it('gives empty hardware, and one warning, when ring prints none', async () => {
    const debugValidate = print('validate-ok-en.txt');
    const { body, service } = await decodeWith({ debugValidate }, { detailed: true });
    expect(body).toMatchObject({ licHWConfig: '', currentHWConfig: '' });
    const warnings = service.log.filter((line) => 'missing' in line);
    expect(warnings).toMatchObject([{ level: 40, missing: [expect.any(String), expect.any(String)] }]);
  });
});

describe('ring gets', () => {
  it('the bytes as they came, in a private directory and under a name of the service', async () => {
    const seen = await tempDirectory();
    const bytes = randomBytes(70_000);
    const look = `cd "$4"; ls >'${seen}/ls'; cat * >'${seen}/copy'; cd ..; pwd >'${seen}/pwd'; stat -c %a . >'${seen}/mode'`;
    const service = await startTestService({ RING_CMD: { list: `${look}; ${print('list-one-ru.txt')}` } });
    await upload(service, bytes, '../../Лицензия (копия);rm -rf $HOME.LIC').expect(200);
    const read = (name: string) => readFile(join(seen, name), 'utf8');
    expect(await readFile(join(seen, 'copy'))).toEqual(bytes);
    expect(await read('ls')).toBe('license.lic\n');
    expect(await read('pwd')).toMatch(/\/decode-[\w-]+\n$/);
    expect(await read('mode')).toBe('700\n');
  });

  it('an environment of its own, and nothing on stdin', async () => {
    const seen = await tempDirectory();
    const look = `env >'${seen}/env'; readlink /proc/self/fd/0 >'${seen}/stdin'`;
    const service = await startTestService(
      { RING_CMD: { list: `${look}; ${print('list-one-en.txt')}` }, RING_LANG: 'en' },
      { PATH: process.env['PATH'], JWT_SECRET: 'x', REDIS_URL: 'redis://x', RING_OPTS: '-Xmx64m -Da=b' },
    );
    await upload(service).expect(200);
    const env = await readFile(join(seen, 'env'), 'utf8');
    expect(env).toMatch(/^RING_OPTS=.*\.language=en .*-Djava\.io\.tmpdir=\S+\/decode-[\w-]+ -Xmx64m -Da=b$/m);
    expect(env).not.toMatch(/JWT_SECRET|REDIS_URL/);
    expect(await readFile(join(seen, 'stdin'), 'utf8')).toBe('/dev/null\n');
  });
});

it('uploads may lie on another file system than the decodes', async ({ skip }) => {
  const hasOther = existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(tmpdir()).dev;
  skip(!hasOther, '/dev/shm is not a file system of its own');
  const shm = mkdtempSync('/dev/shm/ld-test-');
  onTestFinished(() => rmSync(shm, { recursive: true }));
  const service = await startTestService({ UPLOAD_DIR: join(shm, 'uploads') });
  expect(statSync(service.uploadDir).dev).not.toBe(statSync(service.tmpBase).dev);
  await upload(service).expect(200);
  expect(service.files()).toEqual([]);
});
