import { chmod } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../../src/config/settings.js';
import { Findings } from '../../../src/doctor/findings.js';
import { checkInstallation } from '../../../src/doctor/installation-checks.js';
import { fakeJavaHome, fakeRing } from '../../support/fake-ring.js';
import { tempDirectory } from '../../support/temp.js';

async function check(RING_CMD: string): Promise<string> {
  const lines: string[] = [];
  const findings = new Findings((line) => lines.push(line));
  await checkInstallation(loadConfig({ RING_CMD }), await tempDirectory(), findings);
  return lines.join('\n');
}

it.each<[string, (path: string) => string]>([
  ['a name on the PATH', (path) => basename(path)],
  ['a path', (path) => path],
])(
  'of a launcher without its execute bit, given by %s, the self-check says what this user needs',
  async (...row) => {
    const [, commandOf] = row;
    const path = await fakeRing();
    await chmod(path, 0o640);
    vi.stubEnv('PATH', `${dirname(path)}:${process.env['PATH']}`);
    vi.stubEnv('JAVA_HOME', await fakeJavaHome());
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await check(commandOf(path))).toMatch(/✗ ring, .*This user must .* execute it \(chmod a\+rX/);
  },
);

it('the self-check names the version of the license module that ring lists', async () => {
  vi.stubEnv('JAVA_HOME', await fakeJavaHome());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await check(await fakeRing())).toContain('✓ license module 0.15.0\n');
  expect(await check(await fakeRing({ help: 'exit 1' }))).toContain('✓ license module\n');
});
