import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { ERROR_CODES, exampleOf, type ErrorCode } from '../src/errors.js';
import { fakeRing, quote } from './support/fake-ring.js';
import { freePort, isInstalled } from './support/servers.js';
import { eventually, upload } from './support/service.js';
import { spawnService } from './support/spawned-service.js';
import { tempDirectory } from './support/temp.js';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const ALERTS_FILE = join(ROOT, 'docs/deploy/prometheus-alerts.yaml');
const ALERTS = read('docs/deploy/prometheus-alerts.yaml');
const DASHBOARD = read('docs/deploy/grafana-dashboard.json');

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: unknown;
  gridPos: { h: number; w: number; x: number; y: number };
  fieldConfig: { defaults: { unit?: string; thresholds: { steps: { value: number | null }[] } } };
  targets: { expr: string; legendFormat: string; refId: string; datasource: unknown }[];
}

interface Dashboard {
  __inputs: { name: string; type: string; pluginId: string }[];
  __requires: { type: string; id: string }[];
  id: null;
  uid: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string; query: unknown; current: { value: unknown } }[] };
  panels: Panel[];
}

const { groups } = parse(ALERTS) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const records = rules.flatMap(({ record }) => record ?? []);
const dashboard = JSON.parse(DASHBOARD) as Dashboard;
const graphs = dashboard.panels.filter(({ type }) => type !== 'row');
const graphOf = (title: string) => graphs.find((panel) => panel.title === title);

/** An expression of the dashboard as Grafana sends it. */
const filledIn = (expression: string) =>
  expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.+');
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...graphs.flatMap(({ targets }) => targets.map(({ expr }) => filledIn(expr))),
];

interface Use {
  metric: string;
  /** What it is filtered by: each label with its values. */
  filters: { label: string; values: string[] }[];
}

/**
 * What an expression asks for, and the labels that it groups and matches by. Whatever is no part of the language
 * counts as a metric.
 */
function usesOf(expression: string): { uses: Use[]; labels: string[] } {
  const labels: string[] = [];
  const rest = expression
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, list: string) => {
      labels.push(...list.split(',').map((label) => label.trim()));
      return ' ';
    })
    .replace(/\[\w+\]|\boffset \w+/g, ' ');
  const names = /(?<![\w.])([a-z_][\w:]*)\s*(?:\{([^}]*)\}|(\())?/gi;
  const uses = [...rest.matchAll(names)].flatMap(([, metric = '', filters = '', call]) => {
    if (call !== undefined || /^(?:and|or|unless|group_left|group_right)$/.test(metric)) return [];
    const filter = /(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g;
    // What is not understood would not be checked.
    expect(filters.replace(filter, '')).toMatch(/^[\s,]*$/);
    return {
      metric,
      filters: [...filters.matchAll(filter)].map(([, label = '', values = '']) => ({
        label,
        values: values.split('|'),
      })),
    };
  });
  return { uses, labels };
}

const filterValues = (label: string, among: readonly string[]) =>
  among.flatMap((expression) =>
    usesOf(expression).uses.flatMap(({ filters }) =>
      filters.filter((filter) => filter.label === label).flatMap(({ values }) => values),
    ),
  );

/** Errors that are the service's or its machine's fault, but for those of a stop that somebody wanted. */
const FAULTS = ERROR_CODES.filter((code) => exampleOf(code).status >= 500 && code !== 'shutting_down');

/**
 * A service that has decoded, failed and refused: all its labels are there.
 * @returns the address of its metrics, without a path
 */
async function usedService(): Promise<string> {
  const broken = join(await tempDirectory(), 'broken');
  const service = await spawnService({
    RING_CMD: await fakeRing({ always: `[ ! -e ${quote(broken)} ] || kill -9 $$` }),
    METRICS_PORT: '0',
    RATE_LIMIT_MAX: '2',
  });
  await upload(service).expect(200);
  await writeFile(broken, '');
  await upload(service).expect(503);
  await upload(service).expect(429);
  const port = service.log.find(({ msg }) => msg === 'listening')?.['metricsPort'] as number;
  return `127.0.0.1:${port}`;
}

describe('what the dashboard and the alerts ask for', () => {
  const baseName = (metric: string) => metric.replace(/_(?:bucket|count|sum)$/, '');

  it('is in a scrape of the service: each metric with its labels', async () => {
    const { text } = await supertest(`http://${await usedService()}`)
      .get('/metrics')
      .expect(200);
    /** Each metric with its labels. */
    const scraped = new Map<string, Set<string>>();
    for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = scraped.get(name) ?? new Set(['job', 'instance']);
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
      scraped.set(name, known);
    }
    // Prometheus' own, and what the rules make of the rest.
    scraped.set('up', new Set(['job', 'instance']));
    for (const record of records)
      scraped.set(record, scraped.get('license_decoder_decodes_total') ?? new Set());

    for (const expression of expressions) {
      const { uses, labels } = usesOf(expression);
      const metrics = uses.map(({ metric }) => metric);
      expect([...scraped.keys()]).toEqual(expect.arrayContaining(metrics));
      for (const { metric, filters } of uses)
        expect([...(scraped.get(metric) ?? [])]).toEqual(
          expect.arrayContaining(filters.map(({ label }) => label)),
        );
      const all = metrics.flatMap((metric) => [...(scraped.get(metric) ?? [])]);
      expect(all).toEqual(expect.arrayContaining(labels));
    }

    // The other way round: the dashboard leaves out nothing that the service itself measures.
    const shown = graphs.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => usesOf(filledIn(expr)).uses.map(({ metric }) => baseName(metric))),
    );
    const own = [...scraped.keys()].filter((name) => name.startsWith('license_decoder_')).map(baseName);
    expect(shown).toEqual(expect.arrayContaining(own));
  });

  it('has no outcome that there is not', () => {
    const outcomes = filterValues('outcome', expressions);
    expect(outcomes).toEqual(expect.arrayContaining(['decoded', 'ring_unavailable', 'rate_limited']));
    expect(['decoded', 'client_gone', ...ERROR_CODES]).toEqual(expect.arrayContaining(outcomes));
  });

  it('every fault of the service has its alert and counts as an error', () => {
    const share = graphOf('Share of errors')?.targets.map(({ expr }) => expr) ?? [];
    expect(new Set(filterValues('outcome', share))).toEqual(new Set([...FAULTS, 'rate_limited']));
    const alerted = filterValues(
      'outcome',
      alerts.map(({ expr }) => expr),
    );
    expect(alerted).toEqual(expect.arrayContaining(FAULTS));
  });

  it('is read from expressions in full', () => {
    expect(
      usesOf('rate(a_total{b="c", d=~"e|f"}[5m]) / ignoring (g) group_left sum by (h) (i) > 2e3'),
    ).toEqual({
      uses: [
        {
          metric: 'a_total',
          filters: [
            { label: 'b', values: ['c'] },
            { label: 'd', values: ['e', 'f'] },
          ],
        },
        { metric: 'i', filters: [] },
      ],
      labels: ['g', 'h'],
    });
    expect(usesOf('a unless max_over_time(a[1h] offset 10m) or b and on (c, d) e').uses).toEqual(
      ['a', 'a', 'b', 'e'].map((metric) => ({ metric, filters: [] })),
    );
  });
});

describe('docs/deploy/prometheus-alerts.yaml', () => {
  it.each(alerts.map((rule) => [rule.alert ?? '', rule] as const))(
    '%s tells cause and cure',
    (name, rule) => {
      expect(name).toMatch(/^LicenseDecoder[A-Z]\w+$/);
      expect(Object.keys(rule).filter((key) => key !== 'for')).toEqual([
        'alert',
        'expr',
        'labels',
        'annotations',
      ]);
      expect(rule.for ?? '1m').toMatch(/^\d+m$/);
      expect(rule.labels).toEqual({ severity: expect.stringMatching(/^(critical|warning)$/) as string });
      expect(Object.keys(rule.annotations ?? {})).toEqual(['summary', 'description', 'runbook']);
      const { summary = '', description = '', runbook = '' } = rule.annotations ?? {};
      expect(summary).toMatch(/^[\w{].+[^.]$/);
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect(description.length).toBeGreaterThan(100);
      const [file = '', anchor = ''] = runbook.split('#');
      const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading.toLowerCase().replaceAll(' ', '-'),
      );
      expect(headings).toContain(anchor);
      if (rule.expr.startsWith('license_decoder:decodes:'))
        expect([file, ...filterValues('outcome', [rule.expr])]).toEqual(['docs/errors.md', anchor]);
    },
  );

  it('each name is there once', () => {
    const names = rules.map(({ alert, record }) => alert ?? record);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('docs/deploy/grafana-dashboard.json', () => {
  it('can be imported: it asks for a Prometheus and says what it needs', () => {
    expect(dashboard.__inputs).toEqual([
      expect.objectContaining({ name: 'DS_PROMETHEUS', type: 'datasource', pluginId: 'prometheus' }),
    ]);
    // An id would be another Grafana's; the uid is what links and a second import find it by.
    expect([dashboard.id, dashboard.uid]).toEqual([null, 'license-decoder']);
    // What Grafana 11.0 writes: it and all later ones can read it.
    expect(dashboard.schemaVersion).toBe(39);
    const required = dashboard.__requires.filter(({ type }) => type === 'panel').map(({ id }) => id);
    expect(new Set(required)).toEqual(new Set(graphs.map(({ type }) => type)));
    expect(dashboard.templating.list).toMatchObject([
      { name: 'datasource', type: 'datasource', query: 'prometheus', current: { value: '${DS_PROMETHEUS}' } },
      {
        name: 'instance',
        type: 'query',
        datasource: { uid: '${datasource}' },
        query: { query: 'label_values(license_decoder_ready, instance)' },
        current: { value: ['$__all'] },
      },
    ]);
  });

  it('is written as JSON.stringify does', () => {
    expect(DASHBOARD).toBe(`${JSON.stringify(dashboard, null, 2)}\n`);
  });

  it.each(graphs.map((panel) => [panel.title, panel] as const))(
    '%s has a unit, what to do, the chosen data source and replicas',
    (_title, { description, datasource, fieldConfig, targets }) => {
      const chosen = { type: 'prometheus', uid: '${datasource}' };
      expect(datasource).toEqual(chosen);
      expect(fieldConfig.defaults.unit).toMatch(/^(short|s|bytes|Bps|ops|reqps|percentunit)$/);
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect(description?.length).toBeGreaterThan(100);
      expect(targets.map(({ refId }) => refId)).toEqual(['A', 'B', 'C'].slice(0, targets.length));
      for (const target of targets) {
        expect(target.datasource).toEqual(chosen);
        const metrics = usesOf(filledIn(target.expr)).uses.length;
        expect(target.expr.match(/instance=~"\$instance"/g)).toHaveLength(metrics);
      }
    },
  );

  it('panels have ids of their own and lie beside each other', () => {
    const { panels } = dashboard;
    expect(panels.map(({ id }) => id)).toEqual(panels.map((_, index) => index + 1));
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos } of panels) {
      const { h, w, x, y } = gridPos;
      expect(x + w).toBeLessThanOrEqual(24);
      for (let column = x; column < x + w; column++)
        for (let line = y; line < y + h; line++) {
          expect(taken).not.toContain(`${column} ${line}`);
          taken.add(`${column} ${line}`);
        }
    }
    const height = Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h));
    expect(taken.size).toBe(24 * height);
  });

  it("the lines in its graphs are the alerts' thresholds", () => {
    const lines = graphs.flatMap(({ fieldConfig }) =>
      fieldConfig.defaults.thresholds.steps.flatMap(({ value }) => value ?? []),
    );
    const thresholds = alerts.flatMap(({ expr }) =>
      [...expr.matchAll(/> ([\d.]+(?: \* \d+)*)/g)].map(([, product = '']) =>
        product.split(' * ').reduce((result, factor) => result * Number(factor), 1),
      ),
    );
    expect(lines).toHaveLength(3);
    expect(thresholds).toEqual(expect.arrayContaining(lines));
  });
});

const hasPrometheus = isInstalled('promtool', 'prometheus', "Prometheus' own check of alerts and dashboard");
describe.skipIf(!hasPrometheus)('by Prometheus', () => {
  function promtool(...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  async function checkRules(source: string) {
    const file = join(await tempDirectory(), 'rules.yaml');
    await writeFile(file, source);
    return promtool('check', 'rules', file);
  }

  it('the alerts are understood', async () => {
    const { status, output } = await checkRules(ALERTS);
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(status).toBe(0);
  });

  it.each([
    ['histogram_quantile(0.95,', 'histogram_quantile('],
    ['for: 15m', 'for: 15 minutes'],
    ['$labels.instance', '$label.instance'],
    ['annotations:', 'annotation:'],
    ['humanizeDuration', 'humaniseDuration'],
  ])('the check finds faults: %s as %s', async (right, wrong) => {
    expect(ALERTS).toContain(right);
    expect((await checkRules(ALERTS.replaceAll(right, wrong))).status).not.toBe(0);
  });

  it("the dashboard's expressions are understood", async () => {
    const asRules = (list: string[]) =>
      JSON.stringify({
        groups: [
          { name: 'dashboard', rules: list.map((expr, index) => ({ record: `panel:${index}`, expr })) },
        ],
      });
    const list = graphs.flatMap(({ targets }) => targets.map(({ expr }) => filledIn(expr)));
    const { status, output } = await checkRules(asRules(list));
    expect(output).toContain(`SUCCESS: ${list.length} rules found`);
    expect(status).toBe(0);
    expect((await checkRules(asRules(['sum by (a) (rate(b{c="d"}))']))).status).not.toBe(0);
  });

  const of = (metric: string, labels = '', instance = 'a:9090') =>
    `${metric}{job="license-decoder",instance="${instance}"${labels && `,${labels}`}}`;
  const outcome = (code: ErrorCode | 'decoded') => of('license_decoder_decodes_total', `outcome="${code}"`);
  const bucket = (le: string) =>
    of('license_decoder_decode_duration_seconds_bucket', `outcome="decoded",le="${le}"`);
  const MB = 1024 * 1024;
  /** Four hours of a replica that has nothing to complain of; a sample a minute. */
  const HEALTHY: Record<string, string> = {
    [of('up')]: '1x240',
    [of('license_decoder_ready')]: '1x240',
    [of('license_decoder_limit_shared')]: '0x240',
    [of('process_start_time_seconds')]: '1700000000x240',
    [of('process_resident_memory_bytes')]: `${120 * MB}x240`,
    [of('nodejs_heap_size_used_bytes')]: `${30 * MB}x240`,
    [of('nodejs_eventloop_lag_p99_seconds')]: '0.011x240',
    [outcome('decoded')]: '1+6x240',
    [outcome('rate_limited')]: '1+20x240',
    [outcome('license_undecodable')]: '1+1x240',
    [bucket('5')]: '1+6x240',
    [bucket('10')]: '1+6x240',
    [bucket('25')]: '1+6x240',
    [bucket('+Inf')]: '1+6x240',
    // Another job's process, which is none of this service's business.
    'process_resident_memory_bytes{job="node",instance="b:1"}': `${2000 * MB}x240`,
    'nodejs_eventloop_lag_p99_seconds{job="node",instance="b:1"}': '3x240',
    'up{job="node",instance="b:1"}': '0x240',
  };

  /** Expects that exactly these alerts fire at each minute, when series of the healthy replica are exchanged for others. */
  async function expectFiring(series: Record<string, string>, at: Record<number, string[]>) {
    const file = join(await tempDirectory(), 'scenario.json');
    const inputs = Object.entries({ ...HEALTHY, ...series }).filter(([, values]) => values !== '');
    const test = {
      interval: '1m',
      input_series: inputs.map(([name, values]) => ({ series: name, values })),
      promql_expr_test: Object.entries(at).map(([minute, names]) => ({
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${minute}m`,
        exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      })),
    };
    await writeFile(
      file,
      JSON.stringify({ rule_files: [ALERTS_FILE], evaluation_interval: '1m', tests: [test] }),
    );
    const { status, output } = promtool('test', 'rules', file);
    expect(status, output).toBe(0);
  }

  it('nothing fires while nothing is wrong', async () => {
    await expectFiring({}, { 0: [], 20: [], 240: [] });
  });

  it.each<[alert: string, why: string, series: Record<string, string>, from: number, until?: number]>([
    ['Down', 'a replica is not reached', { [of('up')]: '1x9 0x20' }, 12],
    ['Absent', 'no replica is known', { [of('up')]: '' }, 5],
    [
      'Restarts',
      'the process ends again and again',
      { [of('process_start_time_seconds')]: '1x9 2x4 3x4 4x40' },
      20,
      40,
    ],
    ['NotReady', 'ring is missing', { [of('license_decoder_ready')]: '1x9 0x20' }, 15],
    [
      'RingUnavailable',
      'ring fails for the first time',
      { [outcome('ring_unavailable')]: '_x10 1x40' },
      15,
      20,
    ],
    ['RingUnavailable', 'ring fails once more', { [outcome('ring_unavailable')]: '1x119 2x40' }, 125, 130],
    [
      'RingUnavailable',
      'ring fails after a restart',
      { [outcome('ring_unavailable')]: '7x119 1x40' },
      125,
      130,
    ],
    ['RingTimeout', 'ring hangs', { [outcome('ring_timeout')]: '_x10 1x40' }, 15, 20],
    ['DecodeTimeout', 'decodes wait in vain', { [outcome('decode_timeout')]: '_x10 1x40' }, 15, 20],
    ['QueueFull', 'decodes are refused', { [outcome('queue_full')]: '_x10 1+3x9 30x20' }, 15, 30],
    ['StorageUnavailable', 'the disk is full', { [outcome('storage_unavailable')]: '_x10 1x40' }, 11, 20],
    ['InternalError', 'a fault is met', { [outcome('internal_error')]: '_x10 1x40' }, 11, 20],
    [
      'Slow',
      'one of ten decodes takes more than 10 s',
      { [bucket('5')]: '0+4x100', [bucket('10')]: '0+5.4x100' },
      16,
    ],
    [
      'LimitNotShared',
      'one of two replicas loses Redis',
      { [of('license_decoder_limit_shared', '', 'c:9090')]: '1x100' },
      10,
    ],
    ['LimitNotShared', 'Redis is away', { [of('license_decoder_limit_shared')]: '1x60 0x60' }, 71],
    [
      'EventLoopLag',
      'the JVMs take all the CPU',
      { [of('nodejs_eventloop_lag_p99_seconds')]: '0.01x9 0.3x40' },
      20,
    ],
    [
      'MemoryHigh',
      'memory is not given back',
      { [of('process_resident_memory_bytes')]: `${201 * MB}x90` },
      30,
    ],
    [
      'MemoryGrows',
      'the heap fills up',
      { [of('nodejs_heap_size_used_bytes')]: `${60 * MB}+${MB}x200` },
      107,
    ],
  ])('%s fires when %s, and not before or after', async (alert, _why, series, from, until) => {
    await expectFiring(series, {
      [from - 1]: [],
      [from]: [`LicenseDecoder${alert}`],
      ...(until !== undefined && { [until]: [] }),
    });
  });

  it('an hour without Prometheus makes no old failure new', async () => {
    await expectFiring({ [outcome('ring_unavailable')]: '3x100 _x50 3x100' }, { 153: [], 157: [], 160: [] });
  });

  it('shows a running service in every graph, and evaluates every rule', async () => {
    const metrics = await usedService();
    const port = await freePort();
    const directory = await tempDirectory();
    const config = join(directory, 'prometheus.json');
    await writeFile(
      config,
      JSON.stringify({
        global: { scrape_interval: '250ms', scrape_timeout: '250ms', evaluation_interval: '250ms' },
        rule_files: [ALERTS_FILE],
        scrape_configs: [{ job_name: 'license-decoder', static_configs: [{ targets: [metrics] }] }],
      }),
    );
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(directory, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    onTestFinished(() => {
      prometheus.kill('SIGKILL');
    });
    interface Answer {
      status: string;
      data: { result: { metric: Record<string, string> }[]; groups: { rules: { health: string }[] }[] };
    }
    const ask = async (path: string, query: Record<string, string> = {}) => {
      const answer = await supertest(`http://127.0.0.1:${port}`).get(`/api/v1/${path}`).query(query);
      return answer.body as Answer;
    };
    const seen = async () => {
      try {
        const { data } = await ask('query', {
          query: 'count_over_time(license_decoder_decodes_total{outcome="rate_limited"}[1m]) > 2',
        });
        return data.result.length > 0;
      } catch {
        return false;
      }
    };
    expect(await eventually(seen, 15_000)).toBe(true);

    for (const { title, targets } of graphs)
      for (const { expr, legendFormat } of targets) {
        const { status, data } = await ask('query', { query: filledIn(expr) });
        expect({ title, status, empty: data.result.length === 0 }).toEqual({
          title,
          status: 'success',
          empty: false,
        });
        const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
        for (const { metric } of data.result)
          expect(Object.keys(metric)).toEqual(expect.arrayContaining(named));
        // Where it has more than one line, the legend tells them apart.
        const legends = data.result.map(({ metric }) =>
          legendFormat.replace(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
        );
        expect(new Set(legends).size).toBe(legends.length);
      }

    const evaluated = async () => {
      const { data } = await ask('rules');
      return data.groups.flatMap((group) => group.rules.map(({ health }) => health));
    };
    await eventually(async () => !(await evaluated()).includes('unknown'));
    expect(await evaluated()).toEqual(rules.map(() => 'ok'));
    const { data } = await ask('query', { query: 'license_decoder:decodes:increase10m' });
    const recorded = data.result.map(({ metric }) => metric['outcome']);
    expect(recorded).toEqual(expect.arrayContaining(['decoded', 'rate_limited', 'ring_unavailable']));
  });
});
