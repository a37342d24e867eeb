import { Ajv } from 'ajv';
import { createClient } from 'redis';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { startRedis } from '../../support/servers.js';
import { read } from '../../support/project.js';
import { settings, stopMs } from './files.js';

interface Service {
  environment: Record<string, string>;
  networks: Record<string, { ipv4_address: string }>;
  env_file: { path: string; required: boolean }[];
  command: string[];
  extra_hosts: Record<string, string>;
  stop_grace_period: string;
}

const COMPOSE = read('compose.yaml');
const NGINX = read('docs/deploy/nginx/nginx.conf');

const load = (source: string) => parse(source, { merge: true }) as { services: Record<string, Service> };
const { nginx, redis, ...replicas } = load(COMPOSE).services;

it('follows the Compose Specification', () => {
  // The specification's own schema, which a linter ships. Ajv does not know its $schema.
  const schema = JSON.parse(read('node_modules/dclint/schemas/compose.schema.json')) as { $schema?: string };
  delete schema.$schema;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  expect(validate(load(COMPOSE)), JSON.stringify(validate.errors)).toBe(true);
  expect(validate(load(COMPOSE.replaceAll('pids_limit', 'pid_limit')))).toBe(false);
});

it('gives the replicas valid settings, one proxy to trust, and time to stop', () => {
  for (const { environment, stop_grace_period } of Object.values(replicas)) {
    const config = settings(environment);
    expect(config.TRUST_PROXY('192.0.2.1', 0)).toBe(true);
    expect(config.TRUST_PROXY('192.0.2.1', 1)).toBe(false);
    expect(parseInt(stop_grace_period, 10) * 1000).toBeGreaterThan(stopMs(config));
    const readTimeout = Number(/proxy_read_timeout (\d+)s;/.exec(NGINX)?.[1]);
    expect(readTimeout * 1000).toBeGreaterThan(config.DECODE_TIMEOUT_MS);
    expect(parseInt(nginx?.stop_grace_period ?? '', 10)).toBeGreaterThan(readTimeout);
  }
});

it('tells nginx where the replicas of nginx.conf are, also while they are stopped', () => {
  const servers = [...NGINX.matchAll(/^\s*server ([\w-]+):3000/gm)].map(([, name]) => name);
  const names = Object.keys(replicas);
  expect(servers).toEqual(names);
  for (const [name, { networks }] of Object.entries(replicas))
    expect(nginx?.extra_hosts[name]).toBe(networks['inside']?.ipv4_address);
});

it(
  'starts a Redis that evicts counts when it is full, instead of refusing to count',
  { tags: 'redis-server' },
  async () => {
    const { port } = await startRedis({ options: redis?.command.slice(1) ?? [] });
    const client = createClient({ url: `redis://127.0.0.1:${port}` });
    await client.connect();
    expect(await client.configGet('maxmemory-policy')).toEqual({ 'maxmemory-policy': 'volatile-ttl' });
    client.destroy();
  },
);
