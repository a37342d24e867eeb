import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectError } from '../../support/contract.js';
import { fakeRing, print, type FakeRing } from '../../support/fake-ring.js';
import { startTestService, upload, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** What the JVM prints when `validate` cannot load its native library, until it is mended. */
const NO_LIBRARY =
  '[ -e "$0.mended" ] || { echo \'Exception in thread "main" java.lang.UnsatisfiedLinkError: no hard\' >&2; exit 1; }';
const VALIDATE = `${NO_LIBRARY}; ${print('validate-mismatch-ru.txt', 1)}`;

const isReady = async ({ url }: TestService) => (await supertest(url).get('/api/status')).status === 200;
const uploadOf = (service: TestService, client: string, file: string) =>
  upload(service, Buffer.from(file)).set('X-Forwarded-For', client);

/** A service behind a trusted proxy, so that the header names the client. */
async function behindProxy(RING_CMD: FakeRing, ttl = '1') {
  const ring = await fakeRing({ always: 'echo "$*" >>"$0.runs"', ...RING_CMD });
  const service = await startTestService({
    RING_CMD: ring,
    TRUST_PROXY: 'loopback',
    STATUS_TTL_SECONDS: ttl,
  });
  await until(() => isReady(service));
  const polls = () => readFileSync(`${ring}.runs`, 'utf8').split('\n--version').length - 1;
  return { ring, service, polls };
}

it('three files of two clients that meet a fault of the installation pause the service, and a success ends it', async () => {
  const { ring, service } = await behindProxy({ validate: VALIDATE }, '100');
  for (const [client, file] of [
    ['192.0.2.1', 'one'],
    ['192.0.2.2', 'two'],
    ['192.0.2.1', 'three'],
  ] as const) {
    expect(await isReady(service)).toBe(true);
    expectError(await uploadOf(service, client, file), 'ring_unavailable');
  }
  expect(await isReady(service)).toBe(false);
  const msg = expect.stringMatching(/^not ready to decode: decodes fail/) as string;
  const reason = expect.stringContaining('a native library') as string;
  expect(service.log).toContainEqual(expect.objectContaining({ msg, reason, seconds: 100 }));

  await writeFile(`${ring}.mended`, '');
  await uploadOf(service, '192.0.2.1', 'four').expect(200);
  expect(await isReady(service)).toBe(true);
});

it('after the pause a good poll makes it ready, until one more decode meets the fault', async () => {
  const { service } = await behindProxy({ validate: VALIDATE });
  for (const file of ['one', 'two', 'three']) await uploadOf(service, `192.0.2.${file.length}`, file);
  expect(await isReady(service)).toBe(false);
  await until(() => isReady(service));
  expectError(await uploadOf(service, '192.0.2.1', 'one'), 'ring_unavailable');
  expect(await isReady(service)).toBe(false);
  await until(() => isReady(service));
});

it.each<[string, FakeRing, string[]]>([
  ['many files of one client', { validate: VALIDATE }, ['192.0.2.1']],
  ['a JVM that is out of memory', { validate: 'echo java.lang.OutOfMemoryError >&2; exit 1' }, []],
  ['a JVM that is killed', { validate: "sh -c 'kill -9 $$'; exit $?" }, []],
])('%s leaves it ready', async (_title, commands, clients) => {
  const { service } = await behindProxy(commands, '100');
  for (const file of ['one', 'two', 'three', 'four']) {
    const client = clients[0] ?? `192.0.2.${file.length}`;
    expectError(await uploadOf(service, client, file), 'ring_unavailable');
  }
  expect(await isReady(service)).toBe(true);
});

it('decodes that find ring unavailable have it polled at most once in five seconds', async () => {
  const { service, polls } = await behindProxy({ list: 'exit 127' }, '100');
  const before = polls();
  for (let n = 0; n < 10; n++) expectError(await upload(service), 'ring_unavailable');
  await until(() => polls() > before);
  for (let n = 0; n < 10; n++) expectError(await upload(service), 'ring_unavailable');
  expect(polls()).toBe(before + 1);
});

it('an empty launcher, which says nothing and succeeds, is noticed by the first decode, and is not the fault of a file', async () => {
  const { ring, service } = await behindProxy({}, '100');
  await writeFile(ring, '');
  expectError(await upload(service), 'license_undecodable');
  await until(async () => !(await isReady(service)));
  expectError(await upload(service), 'ring_unavailable');
  expect(service.requests().at(-1)).toMatchObject({
    detail: 'license list named no license (exit status 0), and the last poll found no ring that can decode',
  });
});

it('a decode that works is answered although the last poll found no usable ring', async () => {
  const service = await startTestService({ RING_CMD: { version: 'echo 0.11.5-2' } });
  expect(await isReady(service)).toBe(false);
  await upload(service).expect(200);
});
