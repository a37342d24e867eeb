import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnService } from '../../support/spawned-service.js';
import { tempDirectory } from '../../support/temp.js';
import { read, SAMPLES } from '../../support/project.js';

const DASHBOARD = read('docs/deploy/grafana-dashboard.json');
const ALERTS = read('docs/deploy/prometheus-alerts.yaml');

it('dashboard and alerts ask for metrics and outcomes that the service has', async () => {
  const REDIS_URL = 'redis://127.0.0.1:1';
  const { metricsPort } = await spawnService({ METRICS_PORT: '0', LICENSES_DIR: SAMPLES, REDIS_URL });
  const scraped = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const metrics = [...scraped.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  const outcomes = [...scraped.matchAll(/outcome="(\w+)"/g)].map(([, outcome]) => outcome);
  for (const file of [DASHBOARD.replaceAll('\\"', '"'), ALERTS]) {
    const used = [...file.matchAll(/\b((?:license_decoder|nodejs|process)_\w+?)(?:_bucket|_count)?\b/g)];
    expect(metrics).toEqual(expect.arrayContaining(used.map(([, name]) => name)));
    const filters = [...file.matchAll(/outcome!?=~?"([\w|]+)"/g)].flatMap(([, values]) => values?.split('|'));
    expect(outcomes).toEqual(expect.arrayContaining(filters));
  }
});

it('promtool accepts the queries of the dashboard', { tags: 'promtool' }, async () => {
  const { panels } = JSON.parse(DASHBOARD) as { panels: { targets: { expr: string }[] }[] };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const exprs = queries.map((query) => query.replaceAll('$__rate_interval', '5m'));
  const rules = exprs.map((expr, index) => ({ record: `query:${index}`, expr }));
  const file = join(await tempDirectory(), 'rules.json');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});
