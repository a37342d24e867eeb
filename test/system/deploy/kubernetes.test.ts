import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { tempDirectory } from '../../support/temp.js';
import { read, ROOT, settings } from './files.js';

type Resource = ConfigMap | Deployment;

const KUBERNETES = read('docs/deploy/kubernetes.yaml');
const load = (source: string) => parseAllDocuments(source).map((document) => document.toJS() as Resource);
const resources = load(KUBERNETES);
const deployments = resources.filter(({ kind }) => kind === 'Deployment') as Deployment[];
const pods = deployments.map(({ spec }) => spec?.template);
const valuesOf = (key: RegExp) => new Set([...KUBERNETES.matchAll(key)].map(([, value]) => value));

/** What TypeScript reports when it holds the resources against types made from the Kubernetes API. */
async function typeErrors(resources: Resource[]): Promise<string> {
  const constants = resources.map((resource, index) => {
    // The module of apps/v1 is apps/v1, of v1 core/v1, of networking.k8s.io/v1 networking/v1.
    const [version = '', group = 'core'] = (resource.apiVersion ?? '').split('/').reverse();
    const module = join(ROOT, 'node_modules/kubernetes-types', group.replace(/\..*/, ''), version);
    const type = `import('${module}').${resource.kind ?? ''}`;
    return `export const resource${index}: ${type} = ${JSON.stringify(resource)};`;
  });
  const file = join(await tempDirectory(), 'resources.ts');
  await writeFile(file, constants.join('\n'));
  const options =
    '--noEmit --strict --skipLibCheck --ignoreConfig --module esnext --moduleResolution bundler';
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, ...options.split(' '), file], { encoding: 'utf8' }).stdout;
}

it('follows the Kubernetes API', async () => {
  expect(await typeErrors(resources)).toBe('');
  const misspelled = load(KUBERNETES.replace('readinessProbe:', 'readynessProbe:'));
  expect(await typeErrors(misspelled)).toContain('readynessProbe');
});

it('uses only labels and ports that its pods have', () => {
  const labels = pods.map((pod) => pod?.metadata?.labels?.['app.kubernetes.io/name']);
  expect(valuesOf(/app\.kubernetes\.io\/name: ([\w-]+)/g)).toEqual(new Set(labels));
  const ports = pods.flatMap((pod) => pod?.spec?.containers[0]?.ports?.map(({ name }) => name));
  expect(valuesOf(/[pP]ort: ([a-z]+)(?: }|$)/gm)).toEqual(new Set(ports));
});

it('gives the service valid settings, their ports, and time to drain', () => {
  const { data = {} } = resources.find(({ kind }) => kind === 'ConfigMap') as ConfigMap;
  const config = settings(data);
  const { containers = [], terminationGracePeriodSeconds } = pods[0]?.spec ?? {};
  const ports = containers[0]?.ports?.map(({ containerPort }) => containerPort);
  expect(ports).toEqual([config.PORT, config.METRICS_PORT]);
  const [, preStop] = containers[0]?.lifecycle?.preStop?.exec?.command ?? [];
  const drainSeconds = Number(preStop) + config.SHUTDOWN_TIMEOUT_MS / 1000;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds);
});
