import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { read, ROOT } from '../../support/project.js';

interface Rule {
  alert?: string;
  annotations?: { summary?: string; description?: string };
}

const ALERTS = 'docs/deploy/prometheus-alerts.yaml';

describe('promtool', { tags: 'promtool' }, () => {
  const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' });

  it('accepts the rules', () => {
    const { status, stderr } = promtool('check', 'rules', ALERTS);
    expect(status, stderr).toBe(0);
  });

  it('sees them fire when they should', () => {
    const tests = join(import.meta.dirname, 'alerts.yaml');
    const { status, stdout, stderr } = promtool('test', 'rules', tests);
    expect(status, stdout + stderr).toBe(0);
  });
});

it('each alert says what to do', () => {
  const { groups } = parse(read(ALERTS)) as { groups: { rules: Rule[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);
  expect(alerts.length).toBeGreaterThan(10);
  const silent = alerts.filter(({ annotations }) => !annotations?.summary || !annotations.description);
  expect(silent).toEqual([]);
});
