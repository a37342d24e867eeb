import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findInstallation } from '../../../src/ring/installation/installation.js';
import { findRing } from '../../../src/ring/installation/locate.js';
import { hasAnswered } from '../../../src/ring/installation/poll-result.js';
import { fakeRing, transcript, type FakeRing } from '../../support/fake-ring.js';
import { ringSettings } from '../../support/ring-settings.js';
import { tempDirectory } from '../../support/temp.js';

const BROKEN_JAVA = 'Error: could not open `/jre/lib/jvm.cfg';
const OLD_JAVA = transcript('java-version-8-too-old.stderr.txt');

it.each<[string, FakeRing, string | undefined, 'jre' | 'ring', object]>([
  ['an old JRE', {}, OLD_JAVA, 'jre', { problem: { message: 'older than 1.8.0_161' } }],
  ['a JRE that prints no version', {}, BROKEN_JAVA, 'jre', { version: undefined }],
  [
    'an old ring',
    { version: 'echo 0.11.5-2' },
    undefined,
    'ring',
    { problem: { message: 'older than 0.11.5-3' } },
  ],
  ['a ring that fails', { version: 'echo boom; exit 1' }, undefined, 'ring', { version: undefined }],
])('%s is not supported', async (_title, commands, java, name, expected) => {
  const found = await findInstallation(await ringSettings(commands, java));
  expect(found[name]).toMatchObject({ isSupported: false, problem: { reason: 'not_started' }, ...expected });
  expect(found[name === 'jre' ? 'ring' : 'jre']).toMatchObject({ isSupported: true });
});

it.each([
  ['prints its version to stdout', 'echo 0.20.0+4 >&2; echo ring 0.19.5-12', '0.19.5-12', undefined],
  ['prints it to stderr', 'echo 0.19.5-12 >&2', undefined, 'printed no version: 0.19.5-12'],
  ['prints it and fails', 'echo 0.19.5-12; exit 3', undefined, 'failed with exit status 3: 0.19.5-12'],
  ['prints none', 'echo out; echo err >&2; exit 3', undefined, 'failed with exit status 3: err'],
  ['prints nothing', 'exit 0', undefined, 'printed no version'],
])('a ring that %s (%s) has the version %s', async (_title, version, text, problem) => {
  const { ring } = await findInstallation(await ringSettings({ version }));
  expect(ring.version?.text).toBe(text);
  expect(ring.problem?.message).toBe(problem);
});

it.each([undefined, 'own-ring'])('ring is found on the PATH, RING_CMD being %s', async (name) => {
  const path = join(await tempDirectory(), name ?? 'ring');
  await fakeRing({}, path);
  expect(await findRing(name, { PATH: `/nonexistent:${dirname(path)}` })).toBe(path);
});

it.each<[string, FakeRing, string, string?]>([
  ['a ring that takes too long', { version: 'exec sleep 300' }, 'still running after 2000 ms'],
  ['a module that takes too long', { listNone: 'exec sleep 300' }, 'still running after 2000 ms'],
  ['a ring that prints too much', { version: 'exec cat /dev/zero' }, 'printed more than the output limit'],
  ['a module that prints too much', { listNone: 'exec cat /dev/zero' }, 'printed more than the output limit'],
  ['a ring that is killed', { version: 'kill -9 $$' }, 'killed by SIGKILL'],
  ['a ring whose JVM is killed', { version: `sh -c 'kill -9 $$'; exit $?` }, 'failed with exit status 137'],
  ['a ring whose JVM aborts', { version: 'exit 134' }, 'failed with exit status 134'],
  ['a module whose JVM is killed', { listNone: 'exit 137' }, 'the JVM was killed by SIGKILL'],
  ['a ring that does not start', { version: 'exit 127' }, 'failed with exit status 127', 'answered'],
  ['a ring that is not there', { always: 'rm "$0"' }, 'could not be started', 'answered'],
])('%s has not answered, and the problem says so', async (_title, commands, words, answer) => {
  const settings = await ringSettings(commands);
  const found = await findInstallation({ ...settings, timeoutMs: 2_000 });
  expect(hasAnswered(found)).toBe(answer === 'answered');
  const problem = found.ring.problem ?? found.module?.problem;
  expect(problem?.message).toContain(words);
});

const NOTE = 'echo "$PWD $RING_OPTS" >>"$0.runs"';
const BASIC = ['-XX:-UsePerfData', '-Xmx256m'];

it.each<[string, boolean, string, number, string[]]>([
  ['with JVM tuning', true, '', 2, expect.arrayContaining(['-XX:TieredStopAtLevel=1', ...BASIC]) as string[]],
  ['without JVM tuning', false, '', 2, BASIC],
  ['with a JVM that refuses them', true, 'case $RING_OPTS in *Tiered*) exit 1 ;; esac', 3, BASIC],
])(
  'ring is run in / with the options for short runs %s',
  async (_title, jvmTuning, always, count, options) => {
    const settings = await ringSettings({ always: `${NOTE}; ${always}` });
    // A poll needs no temporary directory.
    vi.stubEnv('TMPDIR', '/nonexistent');
    onTestFinished(() => void vi.unstubAllEnvs());
    const found = await findInstallation({ ...settings, jvmTuning });
    expect(found.ring.problem).toBeUndefined();
    expect(found.jvmOptions).toEqual(options);

    const runs = readFileSync(`${settings.command}.runs`, 'utf8').trim().split('\n');
    expect(runs).toHaveLength(count);
    expect(runs.at(-1)).toContain(` ${found.jvmOptions.join(' ')} `);
    for (const run of runs) expect(run).toMatch(/^\/ .* -XX:-UsePerfData -Xmx256m /);
  },
);
