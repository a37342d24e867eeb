import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import supertest from 'supertest';
import { expect, it, vi } from 'vitest';
import { expectError } from '../../support/contract.js';
import { fakeRing, type FakeRing } from '../../support/fake-ring.js';
import { useFakeTime } from '../../support/fake-time.js';
import { isReady, startTestService, upload } from '../../support/service.js';
import { until } from '../../support/until.js';

/** A service that is ready and whose next poll is far off unless a decode asks for it, and how often it has polled. */
async function startReady(commands: FakeRing) {
  useFakeTime('performance');
  const ring = await fakeRing({ always: 'echo "$*" >>"$0.runs"', ...commands });
  const settings = { TRUST_PROXY: 'loopback', STATUS_TTL_SECONDS: '100', METRICS_PORT: '0' };
  const service = await startTestService({ RING_CMD: ring, ...settings });
  await until(() => isReady(service));
  vi.advanceTimersByTime(5_000);
  const polls = () => readFileSync(`${ring}.runs`, 'utf8').split('\n--version').length - 1;
  return { ring, service, polls };
}

const NO_LIBRARY = 'echo \'Exception in thread "main" java.lang.UnsatisfiedLinkError: no hard\' >&2; exit 1';
const NO_HEAP = 'echo java.lang.OutOfMemoryError >&2; exit 1';

it.each<[string, string, string, string]>([
  ['validate cannot load its library', NO_LIBRARY, 'ring_unavailable', 'a native library cannot be loaded'],
  ['the JVM is out of memory', NO_HEAP, 'ring_crashed', 'the JVM ran out of memory'],
  ['the JVM is killed', "sh -c 'kill -9 $$'; exit $?", 'ring_crashed', 'the JVM was killed by SIGKILL'],
])('when %s in each decode, the log and the metrics say so, and the service stays ready', async (...row) => {
  const [, validate, code, reason] = row;
  const { service, polls } = await startReady({ validate });
  const before = polls();
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    const request = upload(service, Buffer.from(name)).set('X-Forwarded-For', `192.0.2.${name.length}`);
    expectError(await request, code);
  }
  await until(() => polls() > before);
  expect(await isReady(service)).toBe(true);
  const line = { level: 50, code, detail: expect.stringContaining(reason) as string };
  expect(service.requests().filter(({ code }) => code !== undefined)).toMatchObject(Array(5).fill(line));
  const { text } = await supertest(service.metricsUrl).get('/metrics');
  expect(text).toContain(`license_decoder_decodes_total{outcome="${code}"} 5\n`);
  expect(text).toContain('license_decoder_ready 1\n');
});

it.each([
  ['an empty launcher, which says nothing and succeeds,', '', 'printed no version'],
  ['half a launcher', '#!/bin/sh\nif', 'failed with exit status 2: '],
])('%s is noticed by the first decode, and is not the fault of a file', async (_title, script, words) => {
  const { ring, service } = await startReady({});
  await writeFile(ring, script);
  expectError(await upload(service), 'ring_unavailable');
  const detail = expect.stringContaining(`; without the file: ${words}`) as string;
  expect(service.requests().at(-1)).toMatchObject({ detail });
  await until(async () => !(await isReady(service)));
  expectError(await upload(service), 'ring_unavailable');
});
