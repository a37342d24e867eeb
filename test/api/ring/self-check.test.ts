import { expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../../src/config/settings.js';
import { Findings } from '../../../src/doctor/findings.js';
import { checkInstallation } from '../../../src/doctor/installation-checks.js';
import { runCommand } from '../../../src/doctor/ring-runs.js';
import { fakeJavaHome, fakeRing } from '../../support/fake-ring.js';
import { tempDirectory } from '../../support/temp.js';

const ENCODING =
  '! ring license info (ru): not UTF-8, and read as windows-1251. Remove encodings from RING_OPTS.';

it.each<[string, string, string[]]>([
  ['windows-1251', String.raw`printf '\310\342\340\355'`, [ENCODING]],
  ['UTF-8', "printf 'Иван'", []],
])('what ring prints in %s is read, and the self-check says when it was not UTF-8', async (...row) => {
  const [, info, warnings] = row;
  const ring = {
    ...{ launcher: await fakeRing({ info }), module: 'license', language: 'ru' as const, jvmOptions: [] },
    env: { PATH: process.env['PATH'], JAVA_HOME: await fakeJavaHome() },
    directory: await tempDirectory(),
    timeoutMs: 60_000,
  };
  const run = await runCommand(ring, { name: 'info', license: '332588056123456-1' }, '/');
  expect(run.text).toBe('Иван');
  const lines: string[] = [];
  const findings = new Findings((line) => lines.push(line));
  findings.checkRun(run);
  expect(lines.filter((line) => !line.startsWith('✓'))).toEqual(warnings);
});

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
