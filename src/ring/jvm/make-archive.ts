import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argumentsOf } from '../commands.js';

/** How a JRE writes an archive of ring's classes (class data sharing). */
export type ArchiveMethod = 'static' | 'dynamic';

/** First JRE that dumps the classes of a list by its default options (JEP 310). */
const FIRST_STATIC = 11;
/** First JRE that archives the classes of a run as it ends (JEP 350). */
const FIRST_DYNAMIC = 13;

/** How this JRE writes an archive: not at all when it is too old, or when RING_OPTS controls sharing itself. */
export function archiveMethod(major: number, operatorOptions: string): ArchiveMethod | undefined {
  if (major < FIRST_STATIC || /-Xshare:|Shared\w*File|AOT/.test(operatorOptions)) return undefined;
  return major < FIRST_DYNAMIC ? 'static' : 'dynamic';
}

/** Options that start ring from an archive. A JVM that cannot use it starts without it. */
export function archiveOptions(archive: string): string[] {
  return [`-XX:SharedArchiveFile=${archive}`, '-Xshare:auto'];
}

/**
 * Makes an archive from a run on a made-up license.
 * @param directory an empty private directory: a JVM trusts an archive as it trusts its own code
 * @param module name of ring's license module
 * @param run runs ring with these arguments and these further JVM options; how it ends does not matter
 * @returns the path of the archive
 * @throws {Error} when the JVM writes none
 */
export async function makeArchive(
  directory: string,
  method: ArchiveMethod,
  module: string,
  run: (args: string[], jvmOptions: string[]) => Promise<unknown>,
): Promise<string> {
  const licenses = join(directory, 'licenses');
  await createMadeUpLicense(licenses);
  const training = argumentsOf({ name: 'list' }, module, licenses);
  const archive = join(directory, 'classes.jsa');

  if (method === 'dynamic') {
    await run(training, [`-XX:ArchiveClassesAtExit=${archive}`]);
  } else {
    const classes = join(directory, 'classes.list');
    await run(training, ['-Xshare:off', `-XX:DumpLoadedClassList=${classes}`]);
    // The JVM ends after the dump, so neither the main class nor its arguments matter.
    const dumping = [
      '-Xshare:dump',
      `-XX:SharedClassListFile=${classes}`,
      `-XX:SharedArchiveFile=${archive}`,
    ];
    await run(['--version'], dumping);
  }

  if (!existsSync(archive)) throw new Error('the JVM wrote no archive of its classes');
  return archive;
}

/** Bytes of the form and size of an encrypted permit, but without its content. */
const PERMIT = Buffer.alloc(2048, 'made up, to load the classes that read a license');

/** Creates a directory with a license that ring cannot decode. ring loads nearly all of its classes before it says so. */
export async function createMadeUpLicense(directory: string): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, 'made-up.lic'), `${PERMIT.toString('base64')}\n`);
}
