import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDirectory } from '../../support/temp.js';
import { read } from '../../support/project.js';
import { settings, stopMs } from './files.js';

const UNIT = read('docs/deploy/license-decoder.service');

it('gives the service valid settings and time to drain', () => {
  // NODE_ENV and HOME are for Node.js and the JVM.
  const variables = UNIT.matchAll(/^Environment=(?!NODE_ENV|HOME)(\w+)=(.+)$/gm);
  const env = Object.fromEntries([...variables].map(([, name = '', value = '']) => [name, value]));
  const stopSeconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(UNIT)?.[1]);
  expect(stopSeconds * 1000).toBeGreaterThan(stopMs(settings(env)));
});

describe('systemd-analyze', { tags: 'systemd-analyze' }, () => {
  async function analyze(args: string[], unit = UNIT) {
    const file = join(await tempDirectory(), 'license-decoder.service');
    await writeFile(file, unit.replace('ExecStart=/usr/bin/node', `ExecStart="${process.execPath}"`));
    const env = { ...process.env, SYSTEMD_LOG_LEVEL: 'warning', SYSTEMD_COLORS: '0' };
    const { status, stderr } = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8', env });
    // It also reports faults of the machine's own units.
    const faults = stderr.split('\n').filter((line) => line.includes('license-decoder.service'));
    return { status, faults };
  }

  it('finds no fault, and would', async () => {
    expect((await analyze(['verify', '--man=no'])).faults).toEqual([]);
    const misspelled = UNIT.replace('KillMode=mixed', 'KillMode=mixd');
    expect((await analyze(['verify', '--man=no'], misspelled)).faults).not.toEqual([]);
  });

  it('rates the exposure at 2.0 of 10 at most', async () => {
    const { status } = await analyze(['security', '--offline=yes', '--threshold=20', '--no-pager']);
    expect(status).toBe(0);
  });
});
