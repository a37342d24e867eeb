import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeJavaHome, print, transcript } from '../support/fake-ring.js';
import { DEMO_RING, DIST, SAMPLE } from '../support/project.js';
import { testSettings, type TestSettings } from '../support/settings.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const LAST_LINE = 'Look through this file before you pass it on.\n';
const DOCTOR = join(DIST, 'doctor/doctor.js');

interface Surroundings extends TestSettings {
  /** What `java -version` prints, instead of the real one in JAVA_HOME. */
  java?: string;
  JAVA_HOME?: string;
  TMPDIR?: string;
}

/** A directory for a self-check, and settings that point into it; PATH has no ring. */
async function surroundings({ java, ...settings }: Surroundings = {}) {
  const directory = await tempDirectory();
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: directory,
    JAVA_HOME: await fakeJavaHome(java),
    ...(await testSettings({
      RING_CMD: DEMO_RING,
      UPLOAD_DIR: join(directory, 'uploads'),
      TMP_BASE: join(directory, 'work'),
      ...settings,
    })),
  };
  return { cwd: directory, env };
}

/** Runs the built self-check in a directory of its own. */
async function doctor(args: string[], settings: Surroundings = {}, input = '') {
  const { cwd, env } = await surroundings(settings);
  const options = { cwd, env, input, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync(process.execPath, [DOCTOR, ...args], options);
  const report = () => readFileSync(join(cwd, 'report.txt'), 'utf8');
  return { directory: cwd, report, status, stdout, stderr, faults: faultsIn(stdout) };
}

const faultsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('✗'));

/** Values of the sample, which nothing may show. */
const VALUES = /[Ии]ван|[Рр]омашк|ivanov|example|Свобод|Тульск|332588|8100123456|SRV|Xeon/;

it('understands the demo, shows no value, and leaves no file', async () => {
  const run = await doctor([SAMPLE, '--report', 'report.txt']);
  const { status, stdout, faults, directory } = run;
  expect(faults).toEqual([]);
  expect(status).toBe(0);
  expect(stdout).toContain('✓ ring -l debug license validate (en): exit status 1, ');
  expect(stdout).toContain('– clear text of the file: found registrationNumber, type, ');
  expect(stdout).not.toMatch(VALUES);
  const report = run.report();
  expect(report).not.toMatch(VALUES);
  expect(report).toContain('== ring -l debug license validate (ru): exit status 1, ');
  expect(report).toContain('    Фамилия: xxxxxxx\n');
  expect(report).toContain('\nПо причине: Ключевые параметры компьютера не соответствуют лицензии:\n');
  expect(report).toContain('\nNetwork adapter : xxxxx(x) x000 xxxxxxx, xxx 00:00:0x:00:00:00\n');
  expect(report).toMatch(/\n== ring license list \(ru\) on a damaged copy: .*\n.* - Cannot xxxxxx the lice/);
  expect(report).toContain('\n== clear text of the file\nРегистрационный номер: 0000000000\n');
  expect(report.endsWith(LAST_LINE)).toBe(true);
  expect(statSync(join(directory, 'report.txt')).mode & 0o777).toBe(0o600);
  // TMPDIR too. No directory of the service either: root's would be closed to it.
  expect(readdirSync(directory)).toEqual(['report.txt']);
});

it('takes the license from standard input and gives the report on standard output; says what it can do without', async () => {
  // This ring starts no JVM, which would write the archive.
  const settings = { RING_CMD: {}, RING_JVM_TUNING: 'on' };
  const run = await doctor(['-', '--report', '-'], settings, readFileSync(SAMPLE, 'utf8'));
  const { status, stdout, stderr } = run;
  expect([status, faultsIn(stderr)]).toEqual([0, []]);
  expect(stderr).toContain('✓ license list (ru) names the license\n');
  expect(stderr).toMatch(
    /\n! JVM tuning without .*, the JVM wrote no archive .* Decodes are only slower\.\n/,
  );
  expect(stderr).toContain('\nNothing keeps the service from decoding, but see !.\n');
  expect(stdout.startsWith('service ')).toBe(true);
  expect(stdout.endsWith(LAST_LINE)).toBe(true);
});

it('leaves no report when a signal ends it', async () => {
  const options = await surroundings({ RING_CMD: { version: 'exec sleep 300' } });
  const child = spawn(process.execPath, [DOCTOR, '--report', 'report.txt'], options);
  await until(() => existsSync(join(options.cwd, 'report.txt')));
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(readdirSync(options.cwd)).toEqual([]);
});

it('the next self-check removes the license of one that was killed, once it is old', async () => {
  // ring outlives the self-check, but not for long.
  const { cwd, env } = await surroundings({ RING_CMD: { info: 'exec sleep 3' } });
  const licenses = () => {
    const paths = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
    return paths.filter((path) => path.endsWith('license.lic'));
  };
  const child = spawn(process.execPath, [DOCTOR, SAMPLE], { cwd, env });
  await until(() => licenses().length > 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const check = () => spawnSync(process.execPath, [DOCTOR], { cwd, env });
  check();
  expect(licenses()).toHaveLength(1);

  const anHourAgo = Date.now() / 1000 - 3600;
  for (const name of readdirSync(cwd)) utimesSync(join(cwd, name), anHourAgo, anHourAgo);
  check();
  expect(readdirSync(cwd)).toEqual([]);
});

const HANGS = 'case $RING_OPTS in *tmpdir=/*doctor-*) exec sleep 300 ;; esac';

it('names each fault of the installation', async () => {
  const { status, stdout, faults } = await doctor([], {
    java: transcript('java-version-8-too-old.stderr.txt'),
    RING_CMD: { listNone: HANGS },
    RING_CONCURRENCY: '2',
    DECODE_TIMEOUT_MS: '2200',
  });
  expect(faults).toEqual([
    expect.stringContaining('✗ Java 1.8.0_152, Java(TM) SE Runtime Environment (build 1.8.0_152-b1'),
    expect.stringContaining(' s, still running after 1000 ms. See docs/trouble.md.'),
  ]);
  expect(stdout).toContain('\nProblems: 2, see ✗.\n');
  expect(status).toBe(1);
});

it.each([
  [
    '/no/ring',
    '✗ ring, /no/ring, could not be started: ENOENT. Correct or remove RING_CMD, or repair what it names. This user must',
  ],
  ['', '✗ ring, not found. Install or mount ring, or set RING_CMD. This user must be able to'],
])('with RING_CMD=%s says that there is no ring', async (RING_CMD, fault) => {
  const { faults, report } = await doctor(['--report', 'report.txt'], { RING_CMD });
  expect(faults).toEqual([expect.stringContaining(fault)]);
  expect(report()).not.toContain('==');
});

it('names what is not understood in both languages, and its report has it', async () => {
  const ring = {
    info: `printf 'Информация о пользователе:\\n    ИНН: 7701234567\\n'`,
    debugValidate: `echo '[DEBUG ] com._1c.New - SRV-OLD и буран'; echo 'Computer name : буран' >&2; exit 1`,
  };
  const { status, faults, stdout, report } = await doctor(
    ['-', '--report', 'report.txt'],
    { RING_CMD: ring },
    'Тип лицензии: клиент\nТип лицензии: сервер\n',
  );
  const inLanguage = (language: string) => [
    `✗ license's hardware in the debug records (${language}): not found`,
    `✗ this machine's hardware in the debug records (${language}): not found`,
    `✗ license info (${language}): lines that are not known: 1`,
  ];
  expect(faults).toEqual([
    ...inLanguage('ru'),
    ...inLanguage('en'),
    '✗ clear text of the file: "Тип лицензии" stands twice, or its value has another form',
  ]);
  expect(stdout).toContain('open an issue with a report');
  expect(status).toBe(1);
  expect(faultsIn(report())).toEqual(faults);
  expect(report()).toContain('[DEBUG ] com._1c.New - xxx-xxx и xxxxx\n-- stderr\nComputer name : xxxxx\n');
});

it("does not try the license when ring has no license module, and says so in ring's words", async () => {
  const unversioned = print('launcher-no-module-ru.txt', 254);
  const { status, faults, stdout } = await doctor([SAMPLE], { RING_CMD: { unversioned } });
  const words = 'Модуль "license" не зарегистрирован в реестре команд.';
  expect(faults).toEqual([
    expect.stringContaining(`✗ license module, `),
    expect.stringMatching(`^✗ ring license list .* on a made-up file: .* ${words} See docs/trouble.md.$`),
  ]);
  expect(faults[0]).toContain(`${words} Install license-tools, mount /etc/1C, or set RING_MODULE.`);
  expect(stdout).toContain('\n– the license was not tried: ring does not run\nProblems: 2, see ✗.\n');
  expect(status).toBe(1);
});

it('tries the license although the launcher refuses other files, if ring starts its module without a file', async () => {
  const refusal = print('launcher-no-module-ru.txt', 254);
  const always = `case "$*" in *made-up-license*|*damaged*) ${refusal} ;; esac`;
  const { status, faults, stdout } = await doctor([SAMPLE], { RING_CMD: { always } });
  const asked = '✓ ring license list (ru) on a directory without licenses: exit status 0, ';
  expect(stdout.split(asked)).toHaveLength(2);
  for (const file of ['made-up file', 'damaged copy']) {
    expect(stdout).toContain(
      `✓ ring license list (ru) on a ${file}: the launcher refused the file, but starts its module`,
    );
  }
  expect(stdout).toContain('✓ ring license list (ru): exit status 0, ');
  expect(stdout).not.toContain('the license was not tried');
  expect([status, faults]).toEqual([0, []]);
});

it('runs the newest of several license modules, and names no license where that rejects the file', async () => {
  const RING_CMD = { unversioned: print('launcher-two-versions.txt', 254), list: 'exit 3' };
  const { status, faults, stdout } = await doctor([SAMPLE], { RING_CMD });
  const fault = (language: string) => `✗ license list (${language}) does not name the license`;
  expect(faults).toEqual([fault('ru'), fault('en')]);
  expect(stdout).toContain('✓ license module 0.15.0, license@0.15.0\n');
  expect(stdout).toContain('✓ ring license list (ru): exit status 3, ');
  expect(status).toBe(1);
});

it.each<[string, string[], Surroundings, number, string]>([
  [
    'a license that is not there',
    ['/nonexistent.lic'],
    {},
    1,
    'Cannot use /nonexistent.lic (ENOENT). Name a',
  ],
  ['a report that is there', ['--report', SAMPLE], {}, 1, `Cannot use ${SAMPLE} (EEXIST). Name a`],
  ['no TMPDIR', [], { TMPDIR: '/dev/null' }, 1, 'Cannot use /dev/null/doctor-'],
  ['standard input without a license', ['-'], {}, 1, 'Standard input is empty: add <FILE.lic'],
  ['an unknown option', ['--no'], {}, 2, 'Usage: npm run doctor -- [FILE.lic]'],
  ['a setting that is wrong', [], { DECODE_TIMEOUT_MS: 'x' }, 1, 'DECODE_TIMEOUT_MS: must be a whole number'],
])('says what is wrong with %s', async (_title, args, settings, exitStatus, message) => {
  const { status, stdout, stderr } = await doctor(args, settings);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
  expect([status, stdout]).toEqual([exitStatus, '']);
});
