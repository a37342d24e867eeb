import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { DETAILED, JVM_LICENSE, licenseTo, logged, PLAIN, withJvmRing } from '../support/jvm-ring.js';
import { processesIn } from '../support/processes.js';
import { getStatus, upload } from '../support/service.js';
import { until } from '../support/until.js';

describe('with a real JVM behind a shell launcher', { tags: 'javac' }, () => {
  const start = withJvmRing();

  it('decodes before, while and after its archive is made, Cyrillic text intact', async () => {
    const service = await start({ RING_JVM_TUNING: 'on' });
    const decode = async () => {
      const response = await upload(service, JVM_LICENSE).field('detailed', 'true');
      expectDocumented(response);
      expect(response.body).toEqual(DETAILED);
    };
    do await decode();
    while (!logged(service, 'JVM tuning is'));
    expect(logged(service, 'JVM tuning is complete')).toBe(true);
    await decode();
    expect((await upload(service, JVM_LICENSE)).body).toEqual(PLAIN);
  });

  it('RING_LANG chooses the language, not the locale', async () => {
    const service = await start({ RING_LANG: 'en' }, { LANG: 'ru_RU.UTF-8', LC_ALL: 'ru_RU.KOI8-R' });
    expect((await upload(service, JVM_LICENSE)).body).toMatchObject({
      licData: 'Customer information:\n    First name: Иван\n    Company: Ёлки—палки LLC',
    });
  });

  it('tells what the JVM does not start from what ring can not decode, and /api/status sees both', async () => {
    const tooSmall = '-Xmx2m -Xms2m -XX:MaxMetaspaceSize=2m';
    for (const RING_OPTS of ['-XX:+NoSuchFlag', '-Xmx1k', tooSmall, '-cp /nonexistent Nope']) {
      const broken = await start({}, { RING_OPTS });
      expectError(await upload(broken, JVM_LICENSE), 'ring_unavailable');
    }
    const service = await start();
    expectError(await upload(service, Buffer.from('no license')), 'license_undecodable');
    const status = await getStatus(service).expect(200);
    const jre = { installed: true, valid: true };
    expect(status.body).toMatchObject({ jre, ring: { version: '0.19.5-12' } });
  });

  it.each(['on', 'off'])('with RING_JVM_TUNING=%s no JVM writes its command line to /tmp', async (tuning) => {
    const service = await start({ RING_JVM_TUNING: tuning });
    const request = upload(service, licenseTo('unpack library\nhang in list'));
    request.end(() => undefined);
    // By now the JVM has started, and it would have written the file.
    await until(() => service.files().some((path) => path.includes('/library')));
    const written = readdirSync(join(tmpdir(), `hsperfdata_${userInfo().username}`)).map(Number);
    const running = processesIn(service.tmpBase);
    expect(running).not.toEqual([]);
    expect(written.filter((pid) => running.includes(pid))).toEqual([]);
    request.abort();
  });

  it('removes what the JVM unpacks along with the decode', async () => {
    const service = await start();
    const library = `library-${randomUUID()}`;
    await upload(service, licenseTo(`unpack ${library}`)).expect(200);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(library))).toEqual([]);
    expect(service.files()).toEqual([]);
  });
});
