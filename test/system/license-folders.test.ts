import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Registry } from '@prometheus-io/client';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useFakeTime } from '../support/fake-time.js';
import { processesIn } from '../support/processes.js';
import { copyOfBuild } from '../support/build-copy.js';
import { DIST } from '../support/project.js';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';
import { windows1251 } from '../unit/license/license-file.js';

const PROGRAM = 'license-folders/licenses.js';
type Watching = typeof import('../../src/license-folders/folder-metrics.js');
const METRICS = 'license-folders/folder-metrics.js';

const SIGNATURE = `${'A'.repeat(64)}\n`;
/** A made-up license with a clear text. */
const license = (term: string, computer = 'SRV-1C') =>
  `${SIGNATURE}Регистрационный номер: 8100654321\nТип лицензии: клиент\nНомер продукта: 0000000100050\n` +
  `Срок действия: ${term}\nПривязка: ${computer}, Intel64 Family 6\nФамилия: Ветрова\n`;
const READ = {
  state: 'read',
  registrationNumber: '8100654321',
  kind: 'client',
  productCode: '0000000100050',
  users: 50,
  computer: 'SRV-1C',
  validUntilTime: null,
};

/** A directory with these files, in subdirectories too. */
async function folder(files: Record<string, string | Uint8Array>): Promise<string> {
  const dir = await tempDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return dir;
}

/** Runs the built program. */
function licenses(...args: string[]) {
  return run('exec "$@"', ...args);
}

/** Runs it by a shell, as `"$@"`. */
function run(script: string, ...args: string[]) {
  const command = ['-c', script, 'sh', process.execPath, join(DIST, PROGRAM), ...args];
  const { status, stdout, stderr } = spawnSync('sh', command, { encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return { status, stdout, stderr, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

it('licenses prints a line for each file, whatever it is, and no PIN code', async () => {
  const dir = await folder({
    'b.lic': license('31.12.2026 12:00:00'),
    'a/old.LIC': windows1251(license('не ограничен', 'БУХ')),
    'no-term.lic': license(''),
    'older.lic': SIGNATURE,
    '332-588-056-123-458/20240115120000_1.lic': license('03.02.2027'),
    '9793 5524.1177_3203.lic': license('04.02.2027'),
    '332588056123456-8100654321.lic': license('01.02.2027'),
    '332588056123457-8100654321.lic': license('02.02.2027'),
    'notes.txt': license('01.01.2027'),
    'large.lic': '',
    'empty.lic': '',
    'blank.lic': ' \t\r\n\0'.repeat(5000),
  });
  truncateSync(join(dir, 'large.lic'), 5 * 1024 * 1024 + 1);
  writeFileSync(Buffer.from(`${dir}/z\xeb.lic`, 'latin1'), license('x'.repeat(200), 'y'.repeat(200)));
  symlinkSync('b.lic', join(dir, 'link.lic'));
  spawnSync('mkfifo', [join(dir, 'fifo.lic')]);
  const link = join(await tempDirectory(), 'link');
  symlinkSync(dir, link);

  const masked = `${'x'.repeat(15)}-8100654321.lic`;
  const { status, stdout, stderr, lines } = licenses(link);
  expect([status, stderr]).toEqual([0, '']);
  expect(lines).toEqual(
    [
      { file: 'xxx-xxx-xxx-xxx-xxx/20240115120000_1.lic', ...READ, term: 'date', validUntil: '2027-02-03' },
      { file: masked, ...READ, term: 'date', validUntil: '2027-02-01' },
      { file: `${masked} (2)`, ...READ, term: 'date', validUntil: '2027-02-02' },
      { file: 'xxxx xxxx.xxxx_xxxx.lic', ...READ, term: 'date', validUntil: '2027-02-04' },
      { file: 'a/old.LIC', ...READ, computer: 'БУХ', term: 'unlimited', validUntil: null },
      { file: 'b.lic', ...READ, term: 'date', validUntil: '2026-12-31', validUntilTime: '12:00:00' },
      { file: 'blank.lic', state: 'unreadable', error: 'EMPTY' },
      { file: 'empty.lic', state: 'unreadable', error: 'EMPTY' },
      { file: 'fifo.lic', state: 'unreadable', error: 'NOT_A_FILE' },
      { file: 'large.lic', state: 'unreadable', error: 'TOO_LARGE' },
      { file: 'link.lic', state: 'unreadable', error: 'ELOOP' },
      { file: 'no-term.lic', ...READ, term: 'unknown', validUntil: null },
      { file: 'older.lic', state: 'no_clear_text' },
      { file: 'z\uFFFD.lic', ...READ, computer: 'y'.repeat(100), term: 'unknown', validUntil: null },
    ].map((line) => ({ dir: link, ...line })),
  );
  expect(stdout).not.toMatch(/33258|Ветрова/);
});

it('licenses reads the other directories when one is missing or too large, however long the paths are', async () => {
  const deep = `${'a'.repeat(200)}/`.repeat(5);
  const names = Array.from({ length: 2000 }, (_, n): [string, string] => [`${deep}${n}.lic`, '']);
  const [one, many] = [await folder({ '1.lic': SIGNATURE }), await folder(Object.fromEntries(names))];
  const { status, stderr, stdout, lines } = licenses('/nowhere', one, many);
  expect([status, lines.length]).toEqual([1, 2001]);
  expect(stderr).toBe('/nowhere: cannot be read (ENOENT). Name a directory that this user may read.\n');
  expect(stdout.length).toBeLessThan(2_000_000);
  expect(String(lines.at(-1)?.['file'])).toMatch(/^.{242}\/999\.lic$/);
  const tooMany = 'more than 2,000 license files or 100,000 entries. Name smaller directories.';
  writeFileSync(join(many, 'one-more.lic'), '');
  expect(licenses(one, many)).toMatchObject({ status: 1, stderr: `${many}: ${tooMany}\n` });
});

it('licenses refuses a directory with more than 100,000 entries', () => {
  // In memory, because a busy disk takes minutes for so many.
  const dir = mkdtempSync('/dev/shm/ld-test-');
  onTestFinished(() => void execFileSync('rm', ['-r', dir]));
  execFileSync('sh', ['-c', 'seq 100001 | xargs touch'], { cwd: dir });
  const tooMany = 'more than 2,000 license files or 100,000 entries. Name smaller directories.';
  expect(licenses(dir)).toMatchObject({ status: 1, stderr: `${dir}: ${tooMany}\n` });
});

it('licenses masks PIN codes in names however they are written, and no registration number or date', async () => {
  const masked = Object.entries({
    '332--588--056--123--456': 'xxx--xxx--xxx--xxx--xxx',
    '332 - 588 - 056 - 123 - 456': 'xxx - xxx - xxx - xxx - xxx',
    '332\u2212588\u2212056\u2212123\u2212456': 'xxx\u2212xxx\u2212xxx\u2212xxx\u2212xxx',
    '20240101332588056123456': 'x'.repeat(23),
    '20240101332-588-056-123-456': 'xxxxxxxxxxx-xxx-xxx-xxx-xxx',
    '20240115-332-588-056-123-45620250115': 'xxxxxxxx-xxx-xxx-xxx-xxx-xxxxxxxxxxx',
    '9793-5524-1177-32032024': 'xxxx-xxxx-xxxx-xxxxxxxx',
    '8100330000-20240115_120000': '8100330000-20240115_120000',
    '2024.01.15-12.00.00': '2024.01.15-12.00.00',
  });
  const dir = await folder(Object.fromEntries(masked.map(([name]) => [`${name}.lic`, SIGNATURE])));
  const shown = licenses(dir).lines.map(({ file }) => file);
  expect(shown.toSorted()).toEqual(masked.map(([, name]) => `${name}.lic`).toSorted());
});

it('licenses keeps no directory open that it has read', async () => {
  const names = Array.from({ length: 60 }, (_, n): [string, string] => [`${n}/a.lic`, SIGNATURE]);
  const { status, lines } = run('ulimit -n 40 && exec "$@"', await folder(Object.fromEntries(names)));
  expect([status, new Set(lines.map(({ state }) => state))]).toEqual([0, new Set(['no_clear_text'])]);
  expect(lines).toHaveLength(60);
});

/** Reads directories as ever, except that one cannot be read, and that files are gone as soon as they are listed. */
const FILES_VANISH = `#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
typedef int (*Scan)(const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
                    int (*)(const struct dirent64 **, const struct dirent64 **));
int scandir64(const char *path, struct dirent64 ***entries, int (*filter)(const struct dirent64 *),
              int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  Scan scan = (Scan)dlsym(RTLD_NEXT, "scandir64");
  size_t length = strlen(path);
  if (length > 5 && strcmp(path + length - 5, "/shut") == 0) {
    errno = EACCES;
    return -1;
  }
  int count = scan(path, entries, filter, compare);
  int directory = open(path, O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < count; i++) {
    if (strncmp((*entries)[i]->d_name, "gone", 4) == 0) unlinkat(directory, (*entries)[i]->d_name, 0);
  }
  close(directory);
  return count;
}
int scandir(const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  return scandir64(path, (struct dirent64 ***)entries, (void *)filter, (void *)compare);
}
`;

it(
  'licenses loses no file beside one that vanishes or a directory that is closed',
  { tags: 'gcc' },
  async () => {
    const kept = Array.from({ length: 40 }, (_, n) => [`${n}.lic`, `ж/${n}.lic`]).flat();
    const gone = Array.from({ length: 10 }, (_, n) => `gone-${n}.lic`);
    const names = [...kept, ...gone, 'shut/a.lic'];
    const dir = await folder(Object.fromEntries(names.map((name) => [name, SIGNATURE])));
    writeFileSync(Buffer.from(`${dir}/z\xeb.lic`, 'latin1'), SIGNATURE);
    const library = join(await tempDirectory(), 'vanish.so');
    const compiler = spawnSync('gcc', ['-shared', '-fPIC', '-x', 'c', '-', '-o', library, '-ldl'], {
      input: FILES_VANISH,
    });
    expect([compiler.status, String(compiler.stderr)]).toEqual([0, '']);
    const { stderr, lines } = run(`LD_PRELOAD=${library} exec "$@"`, dir);
    expect(stderr).toBe('');
    expect(existsSync(join(dir, 'gone-0.lic'))).toBe(false);
    expect(lines.map(({ file }) => file).toSorted()).toEqual([...kept, 'shut', 'z\uFFFD.lic'].toSorted());
  },
);

it.each([[[]], [['--ring', '/tmp']], [['--help']]])('licenses %j explains its usage', (args: string[]) => {
  const { status, stdout, stderr } = licenses(...args);
  const isAskedFor = args[0] === '--help';
  expect([status, isAskedFor ? stderr : stdout]).toEqual([isAskedFor ? 0 : 2, '']);
  expect(isAskedFor ? stdout : stderr).toContain('Usage: ');
});

it('the service shows its folders as metrics, an expiry date in its own time zone', async () => {
  const files = {
    'a.lic': license('31.12.2026'),
    'at-noon.lic': license('31.12.2026 12:00:00'),
    'b.lic': license('бессрочно'),
    'c.lic': SIGNATURE,
    'cut.lic': license('').slice(0, 150),
    'd.lic': '',
  };
  const dir = await folder(files);
  const { metricsPort, log } = await spawnService(
    { METRICS_PORT: '0', LICENSES_DIR: `${dir}:/nowhere` },
    { env: { ...process.env, TZ: 'Asia/Tokyo' } },
  );
  const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const problem = '/nowhere: cannot be read (ENOENT). Name a directory that this user may read.';
  await until(() => log.some((line) => line['problem'] === problem && line['dir'] === '/nowhere'));
  const series = (await scrape()).split('\n').filter((line) => line.startsWith('license_decoder_license'));
  const info =
    'registration_number="8100654321",product_code="0000000100050",kind="client",computer="SRV-1C"';
  expect(series).toEqual([
    `license_decoder_licenses_dir_up{dir="${dir}"} 1`,
    'license_decoder_licenses_dir_up{dir="/nowhere"} 0',
    expect.stringContaining(`license_decoder_licenses_dir_read_timestamp_seconds{dir="${dir}"} `),
    `license_decoder_license_files{dir="${dir}",state="read"} 4`,
    `license_decoder_license_files{dir="${dir}",state="no_clear_text"} 1`,
    `license_decoder_license_files{dir="${dir}",state="unreadable"} 1`,
    `license_decoder_license_expires_timestamp_seconds{dir="${dir}",file="a.lic"} ${Date.parse('2027-01-01T00:00+09:00') / 1000}`,
    `license_decoder_license_expires_timestamp_seconds{dir="${dir}",file="at-noon.lic"} ${Date.parse('2026-12-31T12:00+09:00') / 1000}`,
    `license_decoder_license_without_date{dir="${dir}",file="c.lic"} 1`,
    `license_decoder_license_without_date{dir="${dir}",file="cut.lic"} 1`,
    `license_decoder_license_without_date{dir="${dir}",file="d.lic"} 1`,
    `license_decoder_license_users{dir="${dir}",file="a.lic"} 50`,
    `license_decoder_license_users{dir="${dir}",file="at-noon.lic"} 50`,
    `license_decoder_license_users{dir="${dir}",file="b.lic"} 50`,
    `license_decoder_license_users{dir="${dir}",file="cut.lic"} 50`,
    `license_decoder_license_info{dir="${dir}",file="a.lic",${info},term="date"} 1`,
    `license_decoder_license_info{dir="${dir}",file="at-noon.lic",${info},term="date"} 1`,
    `license_decoder_license_info{dir="${dir}",file="b.lic",${info},term="unlimited"} 1`,
    `license_decoder_license_info{dir="${dir}",file="cut.lic",${info.replace('SRV-1C', '')},term="unknown"} 1`,
  ]);
});

/** Watches folders with a build. They are read again when the test lets time pass. */
async function watch(dist: string, ...directories: string[]) {
  useFakeTime('setTimeout');
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const registry = new Registry();
  const log: string[] = [];
  const note = (line: string) => {
    const { level, problem, msg } = JSON.parse(line) as Record<string, unknown>;
    log.push([level, msg, problem].filter(Boolean).join(' '));
  };
  const built = (await import(join(dist, METRICS))) as Watching;
  built.watchLicenseFolders(directories, registry, pino({}, { write: note }), stop.signal);
  /** The value of `dir_up` of each directory, and the files with users. */
  const shown = async () => {
    const text = await registry.metrics();
    const states = [...text.matchAll(/_up\{.*\} (.)/g)].map(([, up]) => up);
    const files = [...text.matchAll(/_users\{.*file="(.*)"/g)].map(([, file]) => file);
    return [...states, ...files].join();
  };
  const shows = (expected: string) =>
    vi.waitUntil(async () => (await shown()) === expected, { timeout: 60_000 });
  const later = () => vi.advanceTimersByTimeAsync(5 * 60_000);
  return { registry, log, shown, shows, later };
}

it('a file that is gone loses its series, a directory that cannot be read keeps them, and the log says which can be read', async () => {
  const dir = await folder({ 'a.lic': license('31.12.2026'), 'b.lic': license('31.12.2026') });
  const { log, shown, shows, later } = await watch(DIST, dir);
  expect(await shown()).toBe('0');
  await shows('1,a.lic,b.lic');
  rmSync(join(dir, 'a.lic'));
  await later();
  await shows('1,b.lic');
  renameSync(dir, `${dir}-away`);
  await later();
  await shows('0,b.lic');
  renameSync(`${dir}-away`, dir);
  await later();
  await shows('1,b.lic');
  const isRead = '30 reads a directory of licenses';
  expect(log).toEqual([
    isRead,
    `40 cannot read a directory of licenses ${dir}: cannot be read (ENOENT). Name a directory that this user may read.`,
    isRead,
  ]);
});

it('a reading that ends without an answer keeps the series, and does not keep others from being read', async () => {
  const { dist } = await copyOfBuild();
  const program = join(dist, PROGRAM);
  const answer = JSON.stringify({ dir: '/d', file: 'a.lic', ...READ, term: 'unlimited', validUntil: null });
  const printed = join(dist, 'answer');
  writeFileSync(printed, answer);
  writeFileSync(
    program,
    `const text = require('node:fs').readFileSync(${JSON.stringify(printed)}, 'utf8');
    if (process.argv[2] === '/d' && text === '') process.kill(process.pid, 'SIGKILL');
    if (process.argv[2] === '/d') console.log(text);`,
  );
  writeFileSync(join(dist, 'license-folders/package.json'), '{"type":"commonjs"}');
  const { shows, later, log } = await watch(dist, '/d', '/other');
  await shows('1,1,a.lic');
  writeFileSync(printed, '');
  await later();
  await shows('0,1,a.lic');
  expect(log.at(-1)).toBe('40 cannot read a directory of licenses killed by SIGKILL');
});

it('a reading that hangs holds up neither requests nor the stop', async () => {
  const { copy, dist } = await copyOfBuild();
  const program = join(dist, PROGRAM);
  rmSync(program);
  spawnSync('mkfifo', [program]);
  const service = await spawnService({ METRICS_PORT: '0', LICENSES_DIR: copy }, { dist });
  await until(() => processesIn(dist).length === 1);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text();
  expect(metrics).toContain(`license_decoder_licenses_dir_up{dir="${copy}"} 0`);
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  await until(() => processesIn(dist).length === 0);
});
