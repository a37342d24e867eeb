import { expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../../src/config/settings.js';
import { Findings } from '../../../src/doctor/findings.js';
import { checkInstallation } from '../../../src/doctor/installation-checks.js';
import { fakeJavaHome, fakeRing } from '../../support/fake-ring.js';
import { tempDirectory } from '../../support/temp.js';

it('the self-check names the version of the license module that ring lists', async () => {
  vi.stubEnv('JAVA_HOME', await fakeJavaHome());
  onTestFinished(() => void vi.unstubAllEnvs());
  const check = async (RING_CMD: string) => {
    const lines: string[] = [];
    const findings = new Findings((line) => lines.push(line));
    await checkInstallation(loadConfig({ RING_CMD }), await tempDirectory(), findings);
    return lines;
  };
  expect(await check(await fakeRing())).toContain('✓ license module 0.15.0');
  expect(await check(await fakeRing({ help: 'exit 1' }))).toContain('✓ license module');
});
