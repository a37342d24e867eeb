import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, ROOT } from '../../support/project.js';

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

it.each(['docs/trouble.md', 'docs/trouble.ru.md'])('%s has the remedy of each alert', (page) => {
  const namesIn = (text: string, name: RegExp) =>
    [...text.matchAll(name)].map(([, alert = '']) => alert).sort();
  const alerts = namesIn(read(ALERTS), /alert: (\w+)/g);
  const inList = read(page).match(/^- `LicenseDecoder.*/gm) ?? [];
  expect(namesIn(inList.join('\n'), /`(LicenseDecoder\w+)`/g)).toEqual(alerts);
});
