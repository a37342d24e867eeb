import { argumentsOf, failureOf, outputOf } from '../commands.js';
import { versionsOffered } from '../output/launcher-error.js';
import { RingError } from '../ring-error.js';
import type { RunOptions } from '../environment.js';
import { run } from '../run.js';
import { compareVersions } from './versions.js';

/** The module's name where no version has to be chosen. */
const UNVERSIONED = 'license';
/** A directory without licenses that always exists. */
const NO_LICENSES = import.meta.dirname;

/** ring's module `license`, which is installed apart from ring and has a version of its own. */
export interface LicenseModule {
  /** As ring is called: `license`, or with a version `license@0.15.0`. */
  name: string;
  /** Why ring cannot decode anything; undefined once it has answered. */
  problem: RingError | undefined;
}

/**
 * Finds out how ring's license module is called, and whether it starts. Of several versions the newest counts.
 * @param wanted RING_MODULE, which overrides the name
 */
export async function findLicenseModule(
  ring: RunOptions,
  wanted: string | undefined,
): Promise<LicenseModule> {
  if (wanted !== undefined) return ask(wanted, ring);

  const found = await ask(UNVERSIONED, ring);
  if (found.problem?.reason !== 'refused') return found;

  const { message } = found.problem;
  const offered = versionsOffered(message);
  if (offered === undefined) return found;

  const newest = newestOf(offered);
  if (newest !== undefined) return ask(`${UNVERSIONED}@${newest}`, ring);

  const problem = new RingError('refused', `${message} Set RING_MODULE, such as license@0.15.0.`);
  return { ...found, problem };
}

async function ask(name: string, ring: RunOptions): Promise<LicenseModule> {
  const problem = await problemOf(name, ring);
  return { name, problem };
}

/**
 * Runs `license list` on a directory without licenses. Whatever the module answers, even an error, proves that it runs.
 * @returns undefined when the module has answered, otherwise why it has not
 */
export async function problemOf(name: string, ring: RunOptions): Promise<RingError | undefined> {
  try {
    const ended = await run(argumentsOf({ name: 'list' }, name, NO_LICENSES), ring);
    return failureOf(outputOf(ended));
  } catch (error) {
    if (!(error instanceof RingError)) throw error;
    return error;
  }
}

function newestOf(versions: string[]): string | undefined {
  const newestFirst = versions.toSorted((a, b) => compareVersions(numbersOf(b), numbersOf(a)));
  return newestFirst[0];
}

const numbersOf = (version: string) => version.split(/[.+-]/).map(Number);
