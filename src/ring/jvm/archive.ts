import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { argumentsOf } from '../commands.js';
import { modifiedAt } from '../installation/locate.js';

/** How a JRE writes an archive of ring's classes (class data sharing). */
export type ArchiveMethod = 'static' | 'dynamic';

/** First JRE that dumps the classes of a list by its default options (JEP 310). */
const FIRST_STATIC = 11;
/** First JRE that archives the classes of a run as it ends (JEP 350). */
const FIRST_DYNAMIC = 13;
/** Prefix of the directory in which an archive is being made. */
const UNFINISHED = 'making-';
/** Milliseconds after which such a directory is left over from a crash. Making an archive takes seconds. */
const ABANDONED_AFTER_MS = 600_000;

/** How this JRE writes an archive: not at all when it is too old, or when RING_OPTS controls sharing itself. */
export function archiveMethod(major: number, operatorOptions: string): ArchiveMethod | undefined {
  if (major < FIRST_STATIC || /-Xshare:|Shared\w*File|AOT/.test(operatorOptions)) return undefined;
  return major < FIRST_DYNAMIC ? 'static' : 'dynamic';
}

/** Options that start ring from an archive. When the JVM can't use it, `auto` starts without it and `on` fails. */
export function archiveOptions(archive: string, share: 'auto' | 'on' = 'auto'): string[] {
  return [`-XX:SharedArchiveFile=${archive}`, `-Xshare:${share}`];
}

/**
 * Makes an archive from a run on a made-up license.
 * @param archive its path; the directory must be private: a JVM trusts an archive as it trusts its own code
 * @param module name of ring's license module
 * @param run runs ring with these arguments and these further JVM options, in this directory; how it ends does not matter
 * @throws {Error} when the JVM writes none
 */
export async function makeArchive(
  archive: string,
  method: ArchiveMethod,
  module: string,
  run: (args: string[], jvmOptions: string[], directory: string) => Promise<unknown>,
): Promise<void> {
  await removeAbandoned(dirname(archive));
  const work = await mkdtemp(join(dirname(archive), UNFINISHED));
  try {
    const licenses = join(work, 'licenses');
    await createMadeUpLicense(licenses);
    const training = argumentsOf({ name: 'list' }, module, licenses);
    const dump = join(work, 'classes.jsa');

    if (method === 'dynamic') {
      await run(training, [`-XX:ArchiveClassesAtExit=${dump}`], work);
    } else {
      const classes = join(work, 'classes.list');
      await run(training, ['-Xshare:off', `-XX:DumpLoadedClassList=${classes}`], work);
      // The JVM ends after the dump, so neither the main class nor its arguments matter.
      const dumping = ['-Xshare:dump', `-XX:SharedClassListFile=${classes}`, `-XX:SharedArchiveFile=${dump}`];
      await run(['--version'], dumping, work);
    }

    if (!existsSync(dump)) throw new Error('the JVM wrote no archive of its classes');
    // A rename is atomic. Another replica may be reading this archive, or making the same one.
    await rename(dump, archive);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Bytes of the form and size of an encrypted permit, but without its content. */
const PERMIT = Buffer.alloc(2048, 'made up, to load the classes that read a license');

/** Creates a directory with a license that ring cannot decode. ring loads nearly all of its classes before it says so. */
export async function createMadeUpLicense(directory: string): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, 'made-up.lic'), `${PERMIT.toString('base64')}\n`);
}

/** Removes the leftovers of processes that crashed while they made an archive. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(UNFINISHED)) continue;

    const path = join(directory, name);
    const lastChange = await modifiedAt(path);
    const ageMs = Date.now() - lastChange;
    if (ageMs >= ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
