import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { read } from '../../support/project.js';
import { settings, stopMs } from './files.js';

const KUBERNETES = read('docs/deploy/kubernetes.yaml');
const resources = parseAllDocuments(KUBERNETES).map((document) => document.toJS() as Deployment);
const deployments = resources.filter(({ kind }) => kind === 'Deployment');
const pods = deployments.map(({ spec }) => spec?.template);
const valuesOf = (key: RegExp) => new Set([...KUBERNETES.matchAll(key)].map(([, value]) => value));

it('uses only labels and ports that its pods have', () => {
  const labels = pods.map((pod) => pod?.metadata?.labels?.['app.kubernetes.io/name']);
  expect(valuesOf(/app\.kubernetes\.io\/name: ([\w-]+)/g)).toEqual(new Set(labels));
  const ports = pods.flatMap((pod) => pod?.spec?.containers[0]?.ports?.map(({ name }) => name));
  expect(valuesOf(/[pP]ort: ([a-z]+)(?: }|$)/gm)).toEqual(new Set(ports));
});

it('gives the service valid settings, their ports, and time to stop', () => {
  const { containers = [], terminationGracePeriodSeconds } = pods[0]?.spec ?? {};
  const env: Record<string, string> = {};
  // JWT_SECRET has no value here.
  for (const { name, value } of containers[0]?.env ?? []) if (value) env[name] = value;
  const config = settings(env);
  const ports = containers[0]?.ports?.map(({ containerPort }) => containerPort);
  expect(ports).toEqual([config.PORT, config.METRICS_PORT]);
  const [, preStop] = containers[0]?.lifecycle?.preStop?.exec?.command ?? [];
  const stopSeconds = Number(preStop) + stopMs(config) / 1000;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(stopSeconds);
});

it('a version that does not become ready gets no requests, and replaces no pod', () => {
  const spec = deployments[0]?.spec;
  expect(spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0);
  const { readinessProbe } = spec?.template.spec?.containers[0] ?? {};
  expect(readinessProbe?.httpGet).toEqual({ path: '/api/status', port: 'http' });
  expect(spec?.progressDeadlineSeconds).toBeLessThanOrEqual(120);
});
