import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parseJavaVersion } from '../../src/ring/installation/versions.js';
import { processesIn } from './processes.js';
import { startTestService, type TestService } from './service.js';
import { missing } from './tools.js';
import { until } from './until.js';

/** A file that the ring of {@link buildJvmRing} decodes. */
export const JVM_LICENSE = Buffer.from('bGljZW5zZQ==\nlicense of Ivanov\n');
/** The same, on which that ring does something else as well. */
export const licenseTo = (instruction: string) => Buffer.concat([JVM_LICENSE, Buffer.from(instruction)]);

/** The answer to {@link JVM_LICENSE}. */
export const PLAIN = {
  licName: '332588056123456-8100123456',
  pinCode: '332-588-056-123-456',
  licData: 'Информация о пользователе:\n    Имя: Иван\n    Компания: ООО "Ёлки—палки" №1',
  validateData:
    'Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры не соответствуют:\n    Имя компьютера: СЕРВЕР-1',
  licHWConfig: null,
  currentHWConfig: null,
};
export const DETAILED = {
  ...PLAIN,
  licHWConfig: 'Computer name : СЕРВЕР-1\nRAM : 34359738368',
  currentHWConfig: 'OS name : Linux\nComputer name : узел-7',
};

/**
 * Builds the stand-in of `jvm-ring/`, which needs a JDK.
 * @returns the launcher's path, in a directory of its own that the caller removes
 */
export function buildJvmRing(): { directory: string; launcher: string } {
  const directory = mkdtempSync(join(tmpdir(), 'ld-jvm-'));
  execFileSync(resolve(import.meta.dirname, 'jvm-ring/build.sh'), [directory]);
  return { directory, launcher: join(directory, 'ring') };
}

/** Builds the stand-in before a file's tests. @returns what starts the service on it, knowing nothing but `env` */
export function withJvmRing() {
  const built = { directory: '', launcher: '' };
  const hasJavac = !missing.includes('javac');
  beforeAll(() => hasJavac && void Object.assign(built, buildJvmRing()));
  afterAll(() => hasJavac && rmSync(built.directory, { recursive: true }));
  return (settings: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) =>
    startTestService({ RING_CMD: built.launcher, ...settings }, { PATH: process.env['PATH'], ...env });
}

export const logged = ({ log }: TestService, text: string) =>
  log.some((record) => JSON.stringify(record).includes(text));

/** Waits for the end of the JVM tuning. */
export async function expectTuned(service: TestService): Promise<void> {
  await until(() => logged(service, 'JVM tuning is complete'));
}

/** Waits for a decode to run that command of ring. Launchers and JVMs work in the decode's directory. */
export async function expectRuns({ tmpBase }: TestService, command: string): Promise<void> {
  const runs = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0Ring\0license\0${command}\0`);
    } catch {
      return false;
    }
  };
  await until(() => processesIn(tmpBase).some(runs));
}

/** Where test machines have JREs side by side, as `jre-N`. */
const JRES = '/opt/jdks';
/** The service has different options or another kind of archive for each of these. */
const WANTED = [8, 11, 17, 21, 25];

export interface Jre {
  name: string;
  major: number;
  /** Path without symbolic links. */
  java: string;
  /** Environment in which ring's launcher finds it. */
  env: NodeJS.ProcessEnv;
}

/** The system's JRE and those below /opt/jdks, each once. Prints which ones the suite skips. */
export function installedJres(suite: string): Jre[] {
  if (missing.includes('javac')) return [];
  const { PATH } = process.env;
  const sideBySide = (existsSync(JRES) ? readdirSync(JRES) : [])
    .filter((name) => /^jre-\d+$/.test(name))
    .map((name) => jre(`${JRES}/${name}`, { PATH, JAVA_HOME: join(JRES, name) }));
  const found = [jre("the system's JRE", { PATH }), ...sideBySide].filter((each) => each !== undefined);
  const all = [...new Map(found.map((each) => [each.java, each])).values()];
  const absent = WANTED.filter((major) => !all.some((each) => each.major === major));
  if (absent.length > 0) {
    process.stderr.write(`SKIPPED: ${suite} on Java ${absent.join(', ')}: no JRE at ${JRES}/jre-N\n`);
  }
  return all.sort((a, b) => a.major - b.major);
}

function jre(name: string, env: NodeJS.ProcessEnv): Jre | undefined {
  const script =
    'java=${JAVA_HOME:+$JAVA_HOME/bin/}java; readlink -f "$(command -v "$java")" && "$java" -version';
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], { env, encoding: 'utf8' });
  const major = status === 0 ? parseJavaVersion(stderr)?.numbers[0] : undefined;
  return major === undefined
    ? undefined
    : { name: `Java ${major} (${name})`, major, java: stdout.trim(), env };
}
