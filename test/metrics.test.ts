import supertest from 'supertest';
import { expect, it } from 'vitest';
import { fakeRing, print } from './support/fake-ring.js';
import { LICENSE, upload } from './support/service.js';
import { spawnService, type SpawnedService } from './support/spawned-service.js';

const metricsUrl = (service: SpawnedService) => {
  const port = service.log.find(({ msg }) => msg === 'listening')?.['metricsPort'] as number;
  return `http://127.0.0.1:${port}`;
};

/** The samples of all metrics, by name and labels. */
async function scrape(service: SpawnedService): Promise<Map<string, number>> {
  const { text } = await supertest(metricsUrl(service)).get('/metrics').expect(200);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(samples.map((line) => [line.replace(/ [^ ]+$/, ''), Number(/[^ ]+$/.exec(line)?.[0])]));
}

it('counts decodes, runs, waits, refusals and bytes, and nothing of a licence', async () => {
  const service = await spawnService({
    RING_CMD: await fakeRing({ info: `case "$*" in *332588056123456*) ${print('info-one-ru.txt')} ;; esac` }),
    METRICS_PORT: '0',
    RATE_LIMIT_MAX: '3',
  });
  await upload(service).expect(200);
  await upload(service, LICENSE, 'a.txt').expect(400);
  await upload(service, Buffer.alloc(0)).expect(422);
  await upload(service).expect(429);
  await supertest(service.url).get('/api/status');

  const metrics = await scrape(service);
  const expected: Record<string, number> = {
    'license_decoder_decodes_total{outcome="decoded"}': 1,
    'license_decoder_decodes_total{outcome="wrong_file_name"}': 1,
    'license_decoder_decodes_total{outcome="file_empty"}': 1,
    'license_decoder_decodes_total{outcome="rate_limited"}': 1,
    'license_decoder_decode_duration_seconds_count{outcome="decoded"}': 1,
    'license_decoder_ring_run_duration_seconds_count{command="list",result="ok"}': 1,
    'license_decoder_ring_run_duration_seconds_count{command="info",result="ok"}': 1,
    'license_decoder_ring_run_duration_seconds_count{command="validate",result="failed"}': 1,
    license_decoder_queue_wait_seconds_count: 3,
    license_decoder_upload_bytes_total: LICENSE.length,
    license_decoder_queue_waiting: 0,
    license_decoder_ring_running: 0,
    license_decoder_limit_shared: 0,
  };
  for (const [name, value] of Object.entries(expected))
    expect([name, metrics.get(name)]).toEqual([name, value]);
  expect(metrics.has('license_decoder_ready')).toBe(true);
  expect(metrics.has('process_resident_memory_bytes')).toBe(true);
  const labels = new Set(
    [...metrics.keys()]
      .filter((name) => name.startsWith('license_decoder'))
      .flatMap((name) =>
        [...name.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) =>
          label === 'le' ? 'le' : `${label}=${value}`,
        ),
      ),
  );
  expect([...labels].filter((label) => /\d{9}|127\.0/.test(label))).toEqual([]);
});

it('is served on a port of its own only, and on none unless METRICS_PORT is set', async () => {
  const service = await spawnService({ METRICS_PORT: '0' });
  await supertest(service.url).get('/metrics').expect(404);
  await supertest(metricsUrl(service)).get('/api/status').expect(404);
  await supertest(metricsUrl(service)).post('/metrics').expect(404);
  const without = await spawnService({});
  expect(without.log.find(({ msg }) => msg === 'listening')).not.toHaveProperty('metricsPort');
});
