import { expect, it } from 'vitest';
import { Findings } from '../../../src/doctor/findings.js';
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
