import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseJavaVersion } from '../../src/ring/installation/versions.js';

/** A file that the ring of {@link buildJvmRing} decodes. Text appended to it tells that ring what else to do. */
export const JVM_LICENSE = Buffer.from('bGljZW5zZQ==\nlicense of Ivanov\n');

/**
 * Builds the stand-in of `jvm-ring/`, which needs a JDK.
 * @returns the launcher's path, in a directory of its own that the caller removes
 */
export function buildJvmRing(): { directory: string; launcher: string } {
  const directory = mkdtempSync(join(tmpdir(), 'ld-jvm-'));
  execFileSync(resolve(import.meta.dirname, 'jvm-ring/build.sh'), [directory]);
  return { directory, launcher: join(directory, 'ring') };
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
  const { PATH } = process.env;
  const sideBySide = (existsSync(JRES) ? readdirSync(JRES) : [])
    .filter((name) => /^jre-\d+$/.test(name))
    .map((name) => jre(`${JRES}/${name}`, { PATH, JAVA_HOME: join(JRES, name) }));
  const found = [jre("the system's JRE", { PATH }), ...sideBySide].filter((each) => each !== undefined);
  const all = [...new Map(found.map((each) => [each.java, each])).values()];
  const missing = WANTED.filter((major) => !all.some((each) => each.major === major));
  if (missing.length > 0) {
    process.stderr.write(`SKIPPED: ${suite} on Java ${missing.join(', ')}: no JRE at ${JRES}/jre-N\n`);
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
