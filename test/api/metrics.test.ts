import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Gauge, Registry } from '@prometheus-io/client';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { createMetricsServer } from '../../src/monitoring/metrics-server.js';
import { print } from '../support/fake-ring.js';
import { recordedLog } from '../support/recorded-log.js';
import { LICENSE, startTestService, upload, type TestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

/** The samples of all metrics, by name and labels. */
async function scrape(service: TestService): Promise<Map<string, number>> {
  const { text, headers } = await supertest(service.metricsUrl).get('/metrics').expect(200);
  expect(headers).not.toHaveProperty('x-powered-by');
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(samples.map((line) => [line.replace(/ [^ ]+$/, ''), Number(/[^ ]+$/.exec(line)?.[0])]));
}

it('info and validate run side by side', async () => {
  const begun = join(await tempDirectory(), 'begun');
  const hang = 'exec sleep 300';
  const service = await startTestService({
    RING_CMD: { info: `touch '${begun}'; ${hang}`, validate: hang },
    METRICS_PORT: '0',
    RING_CONCURRENCY: '2',
  });
  const decode = upload(service);
  decode.end(() => undefined);

  // Both have taken their slots before either begins. One after the other, the second would have taken none yet.
  await until(() => existsSync(begun));
  expect((await scrape(service)).get('license_decoder_ring_running')).toBe(2);
  decode.abort();
});

it('decodes, runs, waits, refusals and bytes are counted, and nothing of a license is in a label', async () => {
  const service = await startTestService({
    RING_CMD: { info: `case "$*" in *332588056123456*) ${print('info-one-ru.txt')} ;; esac` },
    METRICS_PORT: '0',
    RATE_LIMIT_MAX: '4',
    RING_CONCURRENCY: '1',
    RING_QUEUE_LIMIT: '7',
  });
  await upload(service).expect(200);
  await upload(service, LICENSE, 'a.txt').expect(400);
  await upload(service, Buffer.alloc(0)).expect(422);
  await supertest(service.url).post('/api/decode').set('Sec-Fetch-Site', 'cross-site').expect(403);
  await upload(service, LICENSE, 'a.txt').expect(400);
  await upload(service).expect(429);

  const expected = {
    'license_decoder_decodes_total{outcome="decoded"}': 1,
    'license_decoder_decodes_total{outcome="wrong_file_name"}': 2,
    'license_decoder_decodes_total{outcome="file_empty"}': 1,
    'license_decoder_decodes_total{outcome="rate_limited"}': 1,
    'license_decoder_decodes_total{outcome="cross_site_request"}': 1,
    'license_decoder_decodes_total{outcome="client_gone"}': 0,
    'license_decoder_decode_duration_seconds_count{outcome="decoded"}': 1,
    'license_decoder_ring_run_duration_seconds_count{command="list",result="ok"}': 1,
    'license_decoder_ring_run_duration_seconds_count{command="info",result="ok"}': 1,
    'license_decoder_ring_run_duration_seconds_count{command="validate",result="failed"}': 1,
    license_decoder_queue_wait_seconds_count: 3,
    license_decoder_upload_bytes_total: LICENSE.length,
    license_decoder_queue_waiting: 0,
    license_decoder_ring_running: 0,
    license_decoder_ring_slots: 1,
    license_decoder_queue_limit: 7,
    license_decoder_ready: 1,
  };
  // The last answer is counted a moment after it has been sent, the slot of the last run freed.
  const actual = async () => {
    const samples = await scrape(service);
    return Object.fromEntries(Object.keys(expected).map((name) => [name, samples.get(name)]));
  };
  await expect.poll(actual).toEqual(expected);
  const names = [...(await scrape(service)).keys()];
  expect(names).toEqual(
    expect.arrayContaining(['process_resident_memory_bytes', 'nodejs_eventloop_utilization_summary_sum']),
  );
  expect(names.filter((name) => /\d{9}|127\.0|limit_shared/.test(name))).toEqual([]);
});

it('waiting and running decodes are gauged, and a client that goes is counted', async () => {
  const RING_CMD = { list: 'sleep 300' };
  const service = await startTestService({ RING_CMD, METRICS_PORT: '0', RING_CONCURRENCY: '1' });
  const decodes = [1, 2, 3].map(() => upload(service));
  for (const decode of decodes) decode.end(() => undefined);
  const samples = async (...names: string[]) => {
    const all = await scrape(service);
    return names.map((name) => all.get(`license_decoder_${name}`));
  };
  await expect.poll(() => samples('queue_waiting', 'ring_running')).toEqual([2, 1]);
  for (const decode of decodes) decode.abort();
  const gone = 'decodes_total{outcome="client_gone"}';
  await expect.poll(() => samples('queue_waiting', 'ring_running', gone)).toEqual([0, 0, 3]);
  expect(await samples('queue_wait_seconds_count')).toEqual([3]);
});

it('metrics are served at METRICS_HOST and METRICS_PORT only', async () => {
  const service = await startTestService({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' });
  const metrics = supertest(service.metricsUrl.replace('127.0.0.1', '127.0.0.2'));
  expect((await supertest(service.url).get('/metrics')).status).toBe(404);
  expect((await metrics.head('/metrics')).status).toBe(200);
  expect((await metrics.post('/metrics')).status).toBe(404);
  for (const path of ['/', '/api/status', '/metrics/x']) expect((await metrics.get(path)).status).toBe(404);
  await expect(fetch(`${service.metricsUrl}/metrics`)).rejects.toThrow();
});

it('a scrape that fails is answered 500 in JSON and logged', async () => {
  const registry = new Registry();
  const collect = () => {
    throw new Error('no value');
  };
  new Gauge({ name: 'broken', help: 'broken', registers: [registry], collect });
  const { log, lines } = recordedLog();
  const server = createMetricsServer(registry, log);
  expect((await supertest(server).get('/metrics').expect(500)).body).toMatchObject({
    error: 'internal_error',
  });
  expect((await supertest(server).get('/other').expect(404)).body).toMatchObject({ error: 'not_found' });
  expect(lines).toMatchObject([
    { req: { path: '/metrics' }, err: { message: 'no value' } },
    { code: 'not_found' },
  ]);
});
