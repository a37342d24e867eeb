import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { ConfigMap, Container, PodSpec, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy, NetworkPolicyPort } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { createClient } from 'redis';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { configSchema, loadConfig, type Config } from '../src/config.js';
import { openApiDocument } from '../src/openapi/document.js';
import { freePort, isInstalled, startRedis } from './support/servers.js';
import { tempDirectory } from './support/temp.js';

const ROOT = resolve(import.meta.dirname, '..');
const MODULES = join(ROOT, 'node_modules');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const NGINX = read('docs/deploy/nginx.conf');
const COMPOSE = read('docs/deploy/compose.yaml');
const KUBERNETES = read('docs/deploy/kubernetes.yaml');
const UNIT = read('docs/deploy/license-decoder.service');

/** Megabytes of memory that Node.js and one run of ring need, as the files' comments say. */
const NODE_MB = 200;
const JVM_MB = 160;
/** Processes and threads of Node.js; and of one run of ring, two of which can be the status's own. */
const THREADS = 64;
/** Seconds that the service takes beyond SHUTDOWN_TIMEOUT_MS to abort what is left. */
const ABORT_SECONDS = 2;
const SECRET = 'x'.repeat(32);

/** Megabytes that replicas with these settings need, those in /tmp among them. */
const memoryFor = (config: Config, tmp: number) => NODE_MB + config.RING_CONCURRENCY * JVM_MB + tmp;
const threadsFor = (config: Config) => THREADS + (config.RING_CONCURRENCY + 2) * THREADS;
const stopSeconds = (config: Config) => config.SHUTDOWN_TIMEOUT_MS / 1000 + ABORT_SECONDS;

/** Megabytes of a size as Docker (776m), Kubernetes (776Mi) and systemd (776M) write it. */
function megabytes(size: string | undefined): number {
  const match = /^(\d+)(?:m|Mi|M)$/.exec(size ?? '');
  if (!match) throw new Error(`not a size in megabytes: ${size ?? 'nothing'}`);
  return Number(match[1]);
}

/** Settings as the service itself reads them; unknown names fail. */
function settings(env: Record<string, string>): Config {
  expect(Object.keys(configSchema.shape)).toEqual(expect.arrayContaining(Object.keys(env)));
  return loadConfig(env);
}

/** The values of a directive of nginx.conf. */
const directive = (name: string) =>
  [...NGINX.matchAll(new RegExp(`^\\s*${name}\\s+([^;{]+);`, 'gm'))].map(([, value]) => value ?? '');

function only<T>(list: readonly T[]): T {
  expect(list).toHaveLength(1);
  return list[0] as T;
}

function expectProxyToWaitFor(config: Config) {
  expect(parseInt(only(directive('proxy_read_timeout')), 10)).toBeGreaterThan(
    config.DECODE_TIMEOUT_MS / 1000,
  );
}

interface ComposeService {
  image: string;
  environment?: Record<string, string>;
  networks: Record<string, { ipv4_address?: string }>;
  ports?: string[];
  volumes?: unknown[];
  tmpfs: string[];
  command?: string[];
  mem_limit: string;
  cpus: number;
  pids_limit: number;
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
}

describe('docs/deploy/compose.yaml', () => {
  const load = (source: string) =>
    parse(source, { merge: true }) as {
      services: Record<string, ComposeService>;
      networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>;
    };
  const { services, networks } = load(COMPOSE);
  const service = (name: string) => {
    const found = services[name];
    if (!found) throw new Error(`no service ${name}`);
    return found;
  };
  const replicas = Object.entries(services).filter(([name]) => name.startsWith('license-decoder'));
  const environment = (replica: ComposeService) =>
    Object.fromEntries(
      Object.entries(replica.environment ?? {}).map(([name, value]) => [
        name,
        value.replace(/^\$\{JWT_SECRET:\?.+\}$/, SECRET),
      ]),
    );
  const address = (name: string) => service(name).networks['inside']?.ipv4_address ?? '';

  // The Compose Specification's own schema, as a linter ships it.
  const schema = JSON.parse(
    readFileSync(join(MODULES, 'dclint/schemas/compose.schema.json'), 'utf8'),
  ) as Record<string, unknown>;
  delete schema['$schema'];
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const faults = (source: string) => {
    validate(load(source));
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };

  it('is what the Compose Specification allows', () => {
    expect(faults(COMPOSE)).toEqual([]);
  });

  it.each([
    ['pids_limit: 320', 'pid_limit: 320'],
    ['stop_grace_period: 40s', 'stop_grace_period: 40'],
    ['internal: true', 'internal: [true]'],
    ['condition: service_healthy', 'condition: healthy'],
  ])('the check finds faults: %s as %s', (right, wrong) => {
    expect(COMPOSE).toContain(right);
    expect(faults(COMPOSE.replaceAll(right, wrong))).not.toEqual([]);
  });

  it('has two replicas, those that nginx.conf names, on the port that they listen on', () => {
    expect(replicas.map(([name]) => `${name}:3000`)).toEqual(
      directive('server').map((server) => server.split(' ')[0]),
    );
    for (const [, replica] of replicas) expect(settings(environment(replica)).PORT).toBe(3000);
    expect(Object.keys(service('nginx').depends_on ?? {})).toEqual(replicas.map(([name]) => name));
  });

  it('a replica does not start without JWT_SECRET', () => {
    for (const [, { environment }] of replicas)
      expect(environment?.['JWT_SECRET']).toMatch(/^\$\{JWT_SECRET:\?/);
  });

  it('replicas believe nginx about the client, and no other address', () => {
    for (const [, replica] of replicas) {
      const { TRUST_PROXY } = settings(environment(replica));
      expect(TRUST_PROXY(address('nginx'), 0)).toBe(true);
      for (const other of ['license-decoder-1', 'license-decoder-2', 'redis'])
        expect(TRUST_PROXY(address(other), 0)).toBe(false);
      for (const other of ['10.213.77.1', '127.0.0.1', '192.168.1.1'])
        expect(TRUST_PROXY(other, 0)).toBe(false);
    }
    expect(only(directive('proxy_set_header X-Forwarded-For'))).toBe('$remote_addr');
  });

  it('all addresses are in the network, each once', () => {
    const subnet = only(networks['inside']?.ipam?.config ?? []).subnet;
    expect(subnet).toMatch(/\.0\/28$/);
    const addresses = Object.keys(services).map(address);
    expect(new Set(addresses).size).toBe(Object.keys(services).length);
    for (const one of addresses) {
      expect(one.split('.').slice(0, 3)).toEqual(subnet.split('.').slice(0, 3));
      // .0 is the network, .1 its gateway, .15 the broadcast address.
      expect(Number(one.split('.')[3])).toBeGreaterThan(1);
      expect(Number(one.split('.')[3])).toBeLessThan(15);
    }
  });

  it('nginx alone is published and has a way out', () => {
    expect(networks['inside']?.internal).toBe(true);
    for (const [name, { ports, networks: joined }] of Object.entries(services)) {
      expect({ name, ports }).toEqual({ name, ports: name === 'nginx' ? ['80:80'] : undefined });
      expect(Object.keys(joined)).toEqual(name === 'nginx' ? ['front', 'inside'] : ['inside']);
    }
    expect(only(directive('listen'))).toBe('80');
  });

  it.each(Object.entries(services))('%s can write, gain and use up nothing', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/) as string,
      restart: 'unless-stopped',
      logging: { options: { 'max-size': '10m', 'max-file': '3' } },
    });
    expect(service).not.toHaveProperty('privileged');
    expect(service).not.toHaveProperty('cap_add');
    expect(service.cpus).toBeGreaterThan(0);
    expect(service.pids_limit).toBeGreaterThan(0);
    const inMemory = service.tmpfs.map((mount) => megabytes(/size=(\w+)/.exec(mount)?.[1]));
    expect(megabytes(service.mem_limit)).toBeGreaterThan(inMemory.reduce((sum, size) => sum + size, 0));
    expect(service.image).toMatch(/^license-decoder:local$|^docker\.io\/library\/\w+:\d+\.\d+\.\d+-alpine$/);
    for (const { condition } of Object.values(service.depends_on ?? {}))
      expect(condition).toBe('service_healthy');
  });

  it('replicas have the memory, processes and time to stop that their settings need', () => {
    for (const [, replica] of replicas) {
      const config = settings(environment(replica));
      const tmp = /^\/tmp:.*\bexec\b.*size=(\w+)/.exec(only(replica.tmpfs));
      expect(megabytes(replica.mem_limit)).toBe(memoryFor(config, megabytes(tmp?.[1])));
      expect(replica.pids_limit).toBe(threadsFor(config));
      expect(parseInt(replica.stop_grace_period ?? '', 10)).toBeGreaterThan(stopSeconds(config));
      expect(replica.cpus).toBe(config.RING_CONCURRENCY);
      expectProxyToWaitFor(config);
    }
  });

  it('ring is mounted where the service looks for it, read-only, and missed when it is not there', () => {
    for (const [, { volumes }] of replicas) {
      expect(volumes).toEqual(
        ['/opt/1C', '/etc/1C'].map((path) => ({
          type: 'bind',
          source: path,
          target: path,
          read_only: true,
          bind: { create_host_path: false },
        })),
      );
    }
  });

  const hasRedis = isInstalled('redis-server', 'redis-server', "compose.yaml's Redis");
  it.skipIf(!hasRedis)('Redis starts with its command line, keeps nothing and evicts no count', async () => {
    const port = await freePort();
    const [program, ...options] = service('redis').command ?? [];
    expect(program).toBe('redis-server');
    await startRedis(port, options);
    const client = createClient({ url: `redis://127.0.0.1:${port}` });
    await client.connect();
    expect(await client.configGet(['save', 'appendonly', 'maxmemory', 'maxmemory-policy'])).toEqual({
      save: '',
      appendonly: 'no',
      maxmemory: String(64 * 1024 * 1024),
      'maxmemory-policy': 'noeviction',
    });
    client.destroy();
    expect(megabytes(service('redis').mem_limit)).toBeGreaterThanOrEqual(2 * 64);
  });
});

describe('docs/deploy/kubernetes.yaml', () => {
  interface Resource {
    apiVersion: string;
    kind: string;
    metadata: { name: string; namespace?: string };
  }
  const load = (source: string) =>
    parseAllDocuments(source).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Resource;
    });
  const resources = load(KUBERNETES);
  interface Kinds {
    ConfigMap: ConfigMap;
    Deployment: Deployment;
    HorizontalPodAutoscaler: HorizontalPodAutoscaler;
    NetworkPolicy: NetworkPolicy;
    PodDisruptionBudget: PodDisruptionBudget;
    Service: Service;
  }
  const all = <K extends keyof Kinds>(kind: K) =>
    resources.filter((resource) => resource.kind === kind) as unknown as Kinds[K][];
  const find = <K extends keyof Kinds>(kind: K, name = 'license-decoder') =>
    only(all(kind).filter(({ metadata }) => metadata?.name === name));
  const pod = (deployment: Deployment): PodSpec => deployment.spec?.template.spec ?? { containers: [] };
  const container = (deployment: Deployment): Container => only(pod(deployment).containers);
  const labels = (deployment: Deployment) => deployment.spec?.template.metadata?.labels ?? {};
  const selected = (selector: Record<string, string> | undefined) =>
    only(
      all('Deployment').filter((deployment) =>
        Object.entries(selector ?? { none: '' }).every(([key, value]) => labels(deployment)[key] === value),
      ),
    );
  const named = (deployment: Deployment, port: number | string | undefined) =>
    container(deployment).ports?.find(({ name, containerPort }) => port === name || port === containerPort);

  const service = find('Deployment');
  const config = settings({ ...find('ConfigMap').data, JWT_SECRET: SECRET });

  /**
   * What TypeScript has to say about manifests when each is held against the type made from Kubernetes' own OpenAPI
   * document: unknown, missing and mistyped fields at any depth.
   * @returns the lines of each manifest
   */
  async function faults(manifests: Resource[][]): Promise<string[][]> {
    const directory = await tempDirectory();
    await mkdir(join(directory, 'manifests'));
    const files = manifests.map((manifest, index) => {
      const file = join(directory, `manifests/${index}.ts`);
      const constants = manifest.map((resource, number) => {
        // apps/v1 is in the module apps/v1, v1 in core/v1, networking.k8s.io/v1 in networking/v1.
        const [group, version] = resource.apiVersion.includes('/')
          ? resource.apiVersion.split('/')
          : ['core', resource.apiVersion];
        const module = `${MODULES}/kubernetes-types/${group?.split('.')[0] ?? ''}/${version ?? ''}`;
        return `export const _${number}: import('${module}').${resource.kind} = ${JSON.stringify(resource)};`;
      });
      return { file, source: constants.join('\n') };
    });
    await Promise.all(files.map(({ file, source }) => writeFile(file, source)));
    const options =
      '--noEmit --strict --skipLibCheck --lib es2024 --module esnext --moduleResolution bundler';
    const check = spawn(
      process.execPath,
      [join(MODULES, 'typescript/bin/tsc'), ...options.split(' '), ...files.map(({ file }) => file)],
      { cwd: directory },
    );
    const [output, errors] = await Promise.all([
      text(check.stdout),
      text(check.stderr),
      once(check, 'close'),
    ]);
    expect(errors).toBe('');
    return files.map((_, index) =>
      output.split('\n').filter((line) => line.startsWith(`manifests/${index}.ts`)),
    );
  }

  it('is what the API allows; the check finds faults', async () => {
    const wrong = [
      ['readinessProbe:', 'readynessProbe:', /readynessProbe.+ does not exist in type 'Container'/],
      ["METRICS_PORT: '9090'", 'METRICS_PORT: 9090', /'number' is not assignable to type 'string'/],
      ['containerPort: 3000', "containerPort: '3000'", /'string' is not assignable to type 'number'/],
      ['maxReplicas: 6', 'maximumReplicas: 6', /maximumReplicas.+ does not exist/],
      ['runAsNonRoot: true', 'runAsNonRoot: yes', /'string' is not assignable to type 'boolean/],
      ['  podSelector:', '  pods:', /pods.+ does not exist in type 'NetworkPolicySpec'/],
      ['apiVersion: policy/v1\n', 'apiVersion: policy/v1beta1\n', /Cannot find module/],
    ] as const;
    for (const [right] of wrong) expect(KUBERNETES).toContain(right);
    const [shipped, ...faulty] = await faults([
      resources,
      ...wrong.map(([right, replacement]) => load(KUBERNETES.replace(right, replacement))),
    ]);
    expect(shipped).toEqual([]);
    expect(faulty.map((lines) => lines.join('\n'))).toEqual(
      wrong.map(([, , message]) => expect.stringMatching(message) as string),
    );
  });

  it('all is in the namespace, each resource once', () => {
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { kind, metadata } of resources)
      if (kind !== 'Namespace') expect(metadata.namespace).toBe('license-decoder');
  });

  it('everything that selects pods selects those of one Deployment', () => {
    for (const deployment of all('Deployment'))
      expect(selected(deployment.spec?.selector.matchLabels)).toBe(deployment);
    const budget = find('PodDisruptionBudget').spec?.selector?.matchLabels;
    expect(selected(budget)).toBe(service);
    expect(selected(pod(service).topologySpreadConstraints?.[0]?.labelSelector?.matchLabels)).toBe(service);
    expect(find('HorizontalPodAutoscaler').spec).toMatchObject({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'license-decoder' },
      minReplicas: service.spec?.replicas,
    });
    for (const { spec } of all('Service')) {
      for (const { targetPort } of spec?.ports ?? [])
        expect(named(selected(spec?.selector), targetPort)).toBeDefined();
    }
  });

  it('the ports are those that the service and Redis listen on', () => {
    expect(named(service, 'http')?.containerPort).toBe(config.PORT);
    expect(named(service, 'metrics')?.containerPort).toBe(config.METRICS_PORT);
    expect(service.spec?.template.metadata?.annotations).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': String(config.METRICS_PORT),
      'prometheus.io/path': '/metrics',
    });
    const redis = new URL(config.REDIS_URL ?? '');
    const target = find('Service', redis.hostname).spec?.ports?.find(
      ({ port }) => port === Number(redis.port),
    );
    expect(named(selected(find('Service', redis.hostname).spec?.selector), target?.targetPort)).toEqual({
      name: 'redis',
      containerPort: 6379,
    });
    for (const { spec } of all('Service')) {
      expect(spec?.type ?? 'ClusterIP').toBe('ClusterIP');
      for (const { targetPort } of spec?.ports ?? []) expect(targetPort).not.toBe('metrics');
    }
  });

  it('the probes ask for paths that the API documents, readiness alone for ring', () => {
    const { paths } = openApiDocument(config) as unknown as { paths: Record<string, { get?: unknown }> };
    const { startupProbe, livenessProbe, readinessProbe } = container(service);
    expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/api/status', port: 'http' },
    ]);
    for (const path of ['/healthz', '/api/status']) expect(paths[path]?.get).toBeDefined();
  });

  it('the service gets the settings, the secret from a Secret', () => {
    expect(container(service).envFrom).toEqual([{ configMapRef: { name: 'license-decoder' } }]);
    const variable = only(container(service).env ?? []);
    expect(configSchema.shape).toHaveProperty(variable.name);
    expect(variable).toEqual({
      name: 'JWT_SECRET',
      valueFrom: { secretKeyRef: { name: 'license-decoder', key: 'JWT_SECRET' } },
    });
    expect(KUBERNETES).toContain('create secret generic license-decoder');
    expect(resources.map(({ kind }) => kind)).not.toContain('Secret');
    // One hop is believed, the ingress controller; what it was told by others is not.
    expect([config.TRUST_PROXY('10.0.0.1', 0), config.TRUST_PROXY('10.0.0.1', 1)]).toEqual([true, false]);
  });

  it('pods have the memory, cores and time to stop that the settings need', () => {
    const { resources, volumeMounts, lifecycle } = container(service);
    const tmp = only(pod(service).volumes ?? []);
    expect(only(volumeMounts ?? [])).toEqual({ name: tmp.name, mountPath: '/tmp' });
    expect(tmp.emptyDir?.medium).toBe('Memory');
    const memory = memoryFor(config, megabytes(tmp.emptyDir?.sizeLimit));
    expect(megabytes(resources?.limits?.['memory'])).toBe(memory);
    expect(megabytes(resources?.requests?.['memory'])).toBe(memory);
    expect(resources?.limits?.['cpu']).toBe(String(config.RING_CONCURRENCY));
    const [sleep, seconds] = lifecycle?.preStop?.exec?.command ?? [];
    expect(sleep).toBe('sleep');
    expect(pod(service).terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + stopSeconds(config));
    expect(KUBERNETES).toContain(`podPidsLimit): ${threadsFor(config)} are enough`);
    expectProxyToWaitFor(config);
  });

  it('the autoscaler measures by a request that leaves room below the limit', () => {
    const metric = only(find('HorizontalPodAutoscaler').spec?.metrics ?? []);
    const { requests, limits } = container(service).resources ?? {};
    const utilization = metric.resource?.target.averageUtilization ?? 0;
    expect(metric.resource?.name).toBe('cpu');
    expect((utilization / 100) * Number(requests?.['cpu'])).toBeLessThan(Number(limits?.['cpu']));
  });

  it.each(all('Deployment').map((deployment) => [deployment.metadata?.name, deployment] as const))(
    '%s has no rights, as the namespace demands',
    (_name, deployment) => {
      expect(pod(deployment)).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: expect.any(Number) as number,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(container(deployment).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const name of ['hostNetwork', 'hostPID', 'hostIPC'])
        expect(pod(deployment)).not.toHaveProperty(name);
      for (const volume of pod(deployment).volumes ?? []) expect(volume).not.toHaveProperty('hostPath');
      for (const { hostPort } of container(deployment).ports ?? []) expect(hostPort).toBeUndefined();
      expect(container(deployment).image).toMatch(/:\d+\.\d+\.\d+(-alpine)?$/);
    },
  );

  it('nothing but the ingress controller, Prometheus, Redis and DNS is reached or let in', () => {
    const policies = all('NetworkPolicy');
    for (const deployment of all('Deployment')) {
      const policy = only(
        policies.filter(({ spec }) => selected(spec?.podSelector.matchLabels) === deployment),
      );
      expect(policy.spec?.policyTypes).toEqual(['Ingress', 'Egress']);
      for (const { from, ports } of policy.spec?.ingress ?? []) {
        expect(from).toHaveLength(1);
        for (const { port } of ports ?? []) expect(named(deployment, port)).toBeDefined();
        expect(ports).toHaveLength(1);
      }
    }
    const own = find('NetworkPolicy').spec;
    const ports = (rule: { ports?: NetworkPolicyPort[] }) => rule.ports?.map(({ port }) => port);
    expect(own?.ingress?.map(ports)).toEqual([['http'], ['metrics']]);
    expect(own?.egress?.map(ports)).toEqual([[6379], [53, 53]]);
    const redis = find('Deployment', 'license-decoder-redis');
    expect(selected(own?.egress?.[0]?.to?.[0]?.podSelector?.matchLabels)).toBe(redis);
    const redisPolicy = find('NetworkPolicy', 'license-decoder-redis').spec;
    expect(selected(redisPolicy?.ingress?.[0]?.from?.[0]?.podSelector?.matchLabels)).toBe(service);
    expect(redisPolicy?.egress ?? []).toEqual([]);
  });

  it("Redis is compose.yaml's", () => {
    const { services } = parse(COMPOSE, { merge: true }) as { services: Record<string, ComposeService> };
    const redis = container(find('Deployment', 'license-decoder-redis'));
    expect(redis.args).toEqual(services['redis']?.command);
    expect(redis.image).toBe(services['redis']?.image);
    expect(megabytes(redis.resources?.limits?.['memory'])).toBe(megabytes(services['redis']?.mem_limit));
  });
});

describe('docs/deploy/license-decoder.service', () => {
  const directives = [...UNIT.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
    name,
    value,
  }));
  const values = (name: string) =>
    directives.filter((directive) => directive.name === name).map(({ value }) => value);
  const value = (name: string) => only(values(name));
  /** What Node.js and the JVM read, not the service. */
  const others = ['NODE_ENV', 'HOME'];
  const environment = values('Environment').map((entry) => entry.split('=', 2) as [string, string]);
  const config = settings(Object.fromEntries(environment.filter(([name]) => !others.includes(name))));

  it('starts what is built, as npm start does', () => {
    const { main, scripts } = JSON.parse(read('package.json')) as {
      main: string;
      scripts: Record<string, string>;
    };
    const [program, ...options] = value('ExecStart').split(' ');
    expect(program).toBe('/usr/bin/node');
    expect(options.at(-1)).toBe(main);
    expect(options).toEqual(expect.arrayContaining((scripts['start'] ?? '').split(' ').slice(1)));
    expect(UNIT).toContain(`cp --recursive dist node_modules package.json ${value('WorkingDirectory')} `);
  });

  it('has the memory, processes and time to stop that its settings need', () => {
    expect(megabytes(value('MemoryMax'))).toBe(memoryFor(config, 256));
    expect(Number(value('TasksMax'))).toBe(threadsFor(config));
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(stopSeconds(config));
    expectProxyToWaitFor(config);
  });

  it('leaves no JVM behind, and one that runs out of memory does not end the others', () => {
    expect(value('KillMode')).toBe('mixed');
    expect(value('OOMPolicy')).toBe('continue');
    expect(values('SendSIGKILL')).toEqual([]);
  });

  it('is closed off, but for what Node.js, the JVM and ring need', () => {
    const off = ['MemoryDenyWriteExecute', 'PrivateDevices', 'ProcSubset', 'PrivateNetwork'];
    expect(off.flatMap(values)).toEqual([]);
    expect(value('RestrictAddressFamilies').split(' ')).toContain('AF_UNIX');
    expect(value('CapabilityBoundingSet')).toBe('');
    expect([value('IPAddressDeny'), value('IPAddressAllow')]).toEqual(['any', 'localhost']);
    expect(config.HOST).toBe('127.0.0.1');
    expect([config.TRUST_PROXY('127.0.0.1', 0), config.TRUST_PROXY('10.0.0.1', 0)]).toEqual([true, false]);
  });

  const hasSystemd = isInstalled('systemd-analyze', 'systemd', 'the systemd unit');
  describe.skipIf(!hasSystemd)('by systemd', () => {
    /** What systemd-analyze says of a unit, in which only the path of Node.js is exchanged. */
    async function analyze(command: string[], unit = UNIT) {
      const file = join(await tempDirectory(), 'license-decoder.service');
      await writeFile(file, unit.replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, file], {
        encoding: 'utf8',
        env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning', SYSTEMD_COLORS: '0' },
      });
      // It looks at what the unit depends on as well, which is this machine's.
      const about = stderr.split('\n').filter((line) => line.includes('license-decoder.service'));
      return { status, stdout, about };
    }

    it('is understood', async () => {
      expect((await analyze(['verify', '--man=no'])).about).toEqual([]);
    });

    it.each([
      ['KillMode=mixed', 'KillMode=mixd'],
      ['MemoryMax=776M', 'MemoryMaximum=776M'],
      ['ExecStart=', 'ExecStart=/nowhere'],
      ['SystemCallFilter=@system-service', 'SystemCallFilter=@system-services'],
    ])('the check finds faults: %s as %s', async (right, wrong) => {
      expect(UNIT).toContain(right);
      expect((await analyze(['verify', '--man=no'], UNIT.replace(right, wrong))).about).not.toEqual([]);
    });

    it('its exposure is at most 2.0 of 10', async () => {
      const { status, stdout } = await analyze(['security', '--offline=yes', '--threshold=20', '--no-pager']);
      expect(status, stdout).toBe(0);
    });
  });
});
