import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Logger } from '../logger.js';
import { ringEnvironment } from './environment.js';
import { run } from './run.js';
import { parseRingVersion, type Version } from './versions.js';

/**
 * Options for a JVM that lives for half a second, by the JRE's major version: a JVM that does not know one
 * does not start. What each brings stands in docs/performance.md.
 * @param operatorOptions RING_OPTS, which comes after these and wins; what would contradict it is left out
 */
export function jvmOptions(major: number, operatorOptions: string): string[] {
  const has = (pattern: RegExp) => pattern.test(operatorOptions);
  const options = [
    // No time to gain by the optimising compiler, only CPU to lose.
    '-XX:TieredStopAtLevel=1',
    // A file of performance counters in /tmp that nobody reads.
    '-XX:-UsePerfData',
  ];
  // Two collectors, or an initial heap above the bound, stop the JVM.
  if (!has(/-XX:[+-]Use\w+GC\b/)) options.push('-XX:+UseSerialGC');
  if (!has(/-Xm[nsx]|HeapSize|NewSize|RAM(?:Percentage|Fraction)?=/)) options.push('-Xmx256m');
  // From 9 on the unified log's warnings go to stdout, among ring's output (JEP 158).
  if (major >= 9) options.push('-Xlog:disable', '-Xlog:all=warning:stderr');
  // From 17 on archived classes are moved to a random address at each start, which costs 10 ms (`-Xlog:cds`).
  if (major >= 17) options.push('-XX:+UnlockDiagnosticVMOptions', '-XX:ArchiveRelocationMode=0');
  return options;
}

/** Where the image's build puts its archive: beside the code, and as trusted. Outside an image there is none. */
export const BUILT_IN_CACHE = join(import.meta.dirname, '../../cache');

/** First JRE that writes an archive of the classes a run has loaded as it ends (JEP 350). */
const FIRST_DYNAMIC_ARCHIVE = 13;
/** Milliseconds for the run that makes the archive; it goes on in the background, at the lowest priority. */
const ARCHIVE_TIMEOUT_MS = 120_000;
/** Begins the name of a directory in which an archive is being made. */
const UNFINISHED = 'making-';
/** Milliseconds for a trial start, on a machine that is very busy. */
const TRIAL_TIMEOUT_MS = 20_000;

export interface JvmTuningOptions {
  enabled: boolean;
  /** Directory of the archives; replicas may share it. */
  cacheDirectory: string;
  language: 'ru' | 'en';
  env: NodeJS.ProcessEnv;
  log: Logger;
}

/** The JRE and the ring that are to be tuned, as the readiness probe found them. */
export interface Installation {
  jre: Version;
  launcher: string;
  ringVersion: string;
}

/**
 * Makes ring's JVM start faster: by options, and by an archive of its classes (class data sharing) that is
 * made once, from a run on a made-up file, for each combination of JRE, ring and options. Both are used
 * only after a start with them has worked; whatever goes wrong costs speed, never a decode.
 */
export class JvmTuning {
  private current: string[] = [];
  private preparedFor = '';

  constructor(private readonly options: JvmTuningOptions) {}

  /** The options to run ring with now. */
  get jvmOptions(): readonly string[] {
    return this.current;
  }

  /**
   * Tries the options on the installation, then makes its archive; does nothing when that is done already.
   * Never throws: what fails is logged, once for each installation.
   */
  async prepare(installation: Installation): Promise<void> {
    const { enabled, env, log } = this.options;
    const major = installation.jre.numbers[0] ?? 0;
    const tuned = jvmOptions(major, env['RING_OPTS'] ?? '');
    const identity = await this.identify(installation, tuned);
    if (!enabled || identity === this.preparedFor) return;
    this.preparedFor = identity;
    this.current = [];
    try {
      await this.tryOut(installation, tuned);
      this.current = tuned;
      if (major < FIRST_DYNAMIC_ARCHIVE) return;
      const archive = await this.archive(installation, tuned, identity);
      const archived = [...tuned, `-XX:SharedArchiveFile=${archive}`];
      await this.tryOut(installation, archived);
      this.current = archived;
      log.info('ring starts from an archive of its classes');
    } catch (error) {
      log.warn(
        { reason: (error as Error).message },
        'ring runs with less tuning of its JVM than possible; decodes work all the same',
      );
    }
  }

  /** Changes with what an archive depends on; the JVM itself checks its own build and the jars' times, too. */
  private async identify({ jre, launcher, ringVersion }: Installation, options: string[]): Promise<string> {
    // In whole seconds, which is what an image's layer keeps.
    const installedAt = await stat(launcher).then(
      ({ mtimeMs }) => Math.floor(mtimeMs / 1000),
      () => 0,
    );
    const { JAVA_HOME, RING_OPTS } = this.options.env;
    const parts = [jre.text, JAVA_HOME, launcher, installedAt, ringVersion, options, RING_OPTS];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  }

  /** @throws {Error} when ring does not tell its version with these options */
  private async tryOut({ launcher }: Installation, jvmOptions: string[]): Promise<void> {
    const { env, language } = this.options;
    const { exitCode, stdout } = await run(launcher, ['--version'], {
      cwd: tmpdir(),
      env: ringEnvironment(env, { language, jvmOptions }),
      timeoutMs: TRIAL_TIMEOUT_MS,
    });
    if (exitCode !== 0 || !parseRingVersion(stdout))
      throw new Error(`ring does not start with ${jvmOptions.join(' ')}`);
  }

  /** @returns the path of the archive, which is made if it is not there yet */
  private async archive({ launcher }: Installation, jvmOptions: string[], identity: string): Promise<string> {
    const { cacheDirectory, env, language } = this.options;
    const builtIn = join(BUILT_IN_CACHE, `${identity}.jsa`);
    if (await exists(builtIn)) return builtIn;
    const cache = await privateDirectory(cacheDirectory);
    const archive = join(cache, `${identity}.jsa`);
    if (await exists(archive)) return archive;

    await removeAbandoned(cache);
    const work = await mkdtemp(join(cache, UNFINISHED));
    try {
      const licenses = join(work, 'licenses');
      await mkdir(licenses);
      await writeFile(join(licenses, 'license.lic'), MADE_UP_LICENSE);
      const dump = join(work, 'classes.jsa');
      const list = ['license', 'list', '--path', licenses, '--send-statistics', 'false'];
      // ring can't decode the file, but has loaded nearly all of its classes when it says so.
      await run('/usr/bin/nice', ['-n', '19', launcher, ...list], {
        cwd: work,
        env: ringEnvironment(env, {
          language,
          tmpDirectory: work,
          jvmOptions: [...jvmOptions, `-XX:ArchiveClassesAtExit=${dump}`],
        }),
        timeoutMs: ARCHIVE_TIMEOUT_MS,
      });
      if (!(await exists(dump))) throw new Error('the JVM wrote no archive of its classes');
      // At once whole or not there: another replica may read it, or make the same.
      await rename(dump, archive);
      return archive;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
}

/** Removes what a process that died left of an archive it was making. */
async function removeAbandoned(cacheDirectory: string): Promise<void> {
  for (const name of await readdir(cacheDirectory)) {
    const path = join(cacheDirectory, name);
    if (!name.startsWith(UNFINISHED) || Date.now() - (await stat(path)).mtimeMs < ARCHIVE_TIMEOUT_MS)
      continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** Text in the form of a permit; it holds nothing. */
const MADE_UP_LICENSE = `${Buffer.from('made up, to load the classes that read a licence').toString('base64')}\n`;

/**
 * Makes the directory. A JVM believes an archive as it believes its own code, so nobody else may be able
 * to put one there, by writing to the directory or by exchanging it or one above it.
 * @returns its path without symbolic links
 * @throws {Error} when others can write to it, or exchange it
 */
async function privateDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = await realpath(directory);
  for (let current = path; ; current = dirname(current)) {
    const { uid, mode } = await stat(current);
    const isOwn = uid === process.getuid?.() || uid === 0;
    // In a directory like /tmp, others may write but not rename what is not theirs (chmod(1), sticky bit).
    const isShared = (mode & 0o022) !== 0 && (current === path || (mode & 0o1000) === 0);
    if (!isOwn || isShared) throw new Error(`RING_CACHE_DIR: other users can write to ${current}`);
    if (current === '/') return path;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
