import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { print, quote, transcript, transcriptPath } from '../support/fake-ring.js';
import { startTestService, upload } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

const service = await startTestService();
afterEach(() => expect(service.files()).toEqual([]));

/** Warnings about what ring did not print. */
const missing = () => service.log.filter((line) => 'missing' in line);

it('an empty file is answered 422, without running ring', async () => {
  const ran = join(await tempDirectory(), 'ran');
  await service.setRing({ list: `touch '${ran}'` });
  expectError(await upload(service, Buffer.alloc(0)), 'file_empty');
  expect(existsSync(ran)).toBe(false);
});

describe('a decode', () => {
  it.each([
    ['332-588-056-123-456', '332588056123456', '332-588-056-123-456'],
    ['332-588-056-123-456', '332-588-056-123-456', '332-588-056-123-456'],
    ['ABC', 'ABC', 'ABC'],
  ])(
    'reads a license that ring lists with the PIN code %s and records with %s',
    async (listed, recorded, pinCode) => {
      const licName = `${listed}-8100123456`;
      await service.setRing({
        list: `echo '${licName} (file name: "a.lic")'`,
        info: `echo "$*" | grep -q -- '--name ${licName} ' && ${print('info-one-ru.txt')}`,
        debugValidate: `sed 's/^pin : .*/pin : ${recorded}/' ${quote(transcriptPath('validate-debug-ru.txt'))}; exit 1`,
      });
      const response = await upload(service)
        .field('detailed', 'true')
        .field('structured', 'true')
        .expect(200);
      expectDocumented(response);
      const licHWConfig = expect.stringMatching(/^OS name : Windows Server 2016\n/) as unknown;
      const pin = pinCode.replaceAll('-', '');
      const structured = { pin, registrationNumber: '8100123456' };
      expect(response.body).toMatchObject({ licName, pinCode, licHWConfig, structured });
    },
  );

  it('leaves out what the awk of the launcher complains of', async () => {
    await service.setRing({ always: "echo 'awk: line 2: function gensub never defined'" });
    const response = await upload(service).field('structured', 'true').expect(200);
    expect(response.body).toMatchObject({
      licData: transcript('info-one-ru.txt').trim(),
      structured: { other: [] },
    });
  });

  it('adds hardware, the texts as data, or both and what they say together, as the fields ask', async () => {
    const debugValidate = `sed 's/^previous pin : /&332-588-056-654-321/' ${quote(transcriptPath('validate-debug-ru.txt'))}; exit 1`;
    await service.setRing({ debugValidate });
    const answerTo = async (...fields: string[]) => {
      const request = upload(service, Buffer.from('bGljZW5zZQ==\nProduct code: 0000000001002'));
      for (const field of fields) void request.field(field, 'true');
      const response = await request;
      expectDocumented(response);
      return response.body as Record<string, unknown>;
    };
    const plain = await answerTo();
    const detailed = await answerTo('detailed');
    const { structured, ...rest } = await answerTo('structured');
    const both = await answerTo('structured', 'detailed');
    expect(detailed).toMatchObject({ licData: plain['licData'], validateData: plain['validateData'] });
    expect(detailed['licHWConfig']).toMatch(/^OS name : Windows Server 2016\n[^]*\nHard disk : INTEL/);
    expect(detailed['currentHWConfig']).toMatch(/^OS name : Linux\n[^]*\nNetwork adapter : eth0/);
    expect(JSON.stringify(detailed)).not.toMatch(/DEBUG|WARN|Customer info|previous pin/);
    expect(rest).toEqual(plain);
    expect(structured).toMatchObject({ previousPin: null, file: { productCode: '0000000001002' } });
    const { structured: all, ...texts } = both;
    expect(texts).toEqual(detailed);
    const difference = { name: 'OS name', onlyInLicense: ['Windows Server 2016'], onlyInCurrent: ['Linux'] };
    const differences = expect.arrayContaining([difference]) as unknown;
    expect(all).toMatchObject({ previousPin: '332588056654321', hardware: { differences } });
  });

  it.each([
    ['validate-ok-ru.txt', 0, true],
    ['validate-mismatch-en.txt', 255, false],
    ['list-nodir-ru.txt', 1, null],
  ])('passes on %s with exit status %i, valid is %j; without a verdict the log says so', async (...row) => {
    const [name, exitCode, valid] = row;
    await service.setRing({ validate: print(name, exitCode) });
    const response = await upload(service).field('structured', 'true');
    expectDocumented(response);
    expect(response.body).toMatchObject({ validateData: transcript(name).trim(), structured: { valid } });
    expect(missing()).toMatchObject(valid === null ? [{ level: 40, missing: ['the verdict'] }] : []);
  });

  it('gives empty hardware, and one warning, when ring prints none', async () => {
    await service.setRing({ debugValidate: print('validate-ok-en.txt') });
    const response = await upload(service).field('detailed', 'true');
    expect(response.body).toMatchObject({ licHWConfig: '', currentHWConfig: '' });
    expect(missing()).toMatchObject([{ level: 40, missing: [expect.any(String), expect.any(String)] }]);
  });
});

it('ring gets the bytes as they came, in a private directory and under a name of the service', async () => {
  const seen = await tempDirectory();
  const bytes = randomBytes(70_000);
  const look = `cd "$4"; ls >'${seen}/ls'; cat * >'${seen}/copy'; cd ..; pwd >'${seen}/pwd'; stat -c %a . >'${seen}/mode'`;
  await service.setRing({ list: `${look}; ${print('list-one-ru.txt')}` });
  await upload(service, bytes, '../../Лицензия (копия);rm -rf $HOME.LIC').expect(200);
  const read = (name: string) => readFile(join(seen, name), 'utf8');
  expect(await readFile(join(seen, 'copy'))).toEqual(bytes);
  expect(await read('ls')).toBe('license.lic\n');
  expect(await read('pwd')).toMatch(/\/decode-[\w-]+\n$/);
  expect(await read('mode')).toBe('700\n');
});

it('ring gets an environment of its own, and nothing on stdin', async () => {
  const seen = await tempDirectory();
  const look = `env >'${seen}/env'; readlink /proc/self/fd/0 >'${seen}/stdin'`;
  const own = await startTestService(
    { RING_CMD: { list: `${look}; ${print('list-one-en.txt')}` }, RING_LANG: 'en' },
    { PATH: process.env['PATH'], JWT_SECRET: 'x', REDIS_URL: 'redis://x', RING_OPTS: '-Xmx64m -Da=b' },
  );
  await upload(own).expect(200);
  const env = await readFile(join(seen, 'env'), 'utf8');
  expect(env).toMatch(/^RING_OPTS=.*\.language=en .*-Djava\.io\.tmpdir=\S+\/decode-[\w-]+ -Xmx64m -Da=b$/m);
  expect(env).not.toMatch(/JWT_SECRET|REDIS_URL/);
  expect(await readFile(join(seen, 'stdin'), 'utf8')).toBe('/dev/null\n');
});

it('uploads may lie on another file system than the decodes', async ({ skip }) => {
  const hasOther = existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(tmpdir()).dev;
  skip(!hasOther, '/dev/shm is not a file system of its own');
  const shm = mkdtempSync('/dev/shm/ld-test-');
  onTestFinished(() => rmSync(shm, { recursive: true }));
  const own = await startTestService({ UPLOAD_DIR: join(shm, 'uploads') });
  expect(statSync(own.uploadDir).dev).not.toBe(statSync(own.tmpBase).dev);
  await upload(own).expect(200);
  expect(own.files()).toEqual([]);
});
