import { argumentsOf, failureOf, outputOf } from '../commands.js';
import { versionsOffered } from '../output/launcher-error.js';
import { RingError } from '../ring-error.js';
import type { RunOptions } from '../environment.js';
import { run } from '../run.js';
import { modifiedAt } from './locate.js';
import { compareVersions } from './versions.js';

/** The module's name where no version has to be chosen. */
const UNVERSIONED = 'license';
/** A directory without licenses that always exists. */
const NO_LICENSES = import.meta.dirname;

/** ring's module `license`, which is installed apart from ring and has a version of its own. */
export interface LicenseModule {
  /** As ring is called: `license`, or with a version `license@0.15.0`. */
  name: string;
  /** Undefined when ring does not tell. */
  version: string | undefined;
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
  // A module that does not start has no version worth asking for.
  const version = problem ? undefined : await versionOf(name, ring);
  return { name, version, problem };
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
    if (!error.hasNoAnswer) return error;

    return new RingError(error.reason, `license list did not answer: ${error.message}`);
  }
}

function newestOf(versions: string[]): string | undefined {
  const newestFirst = versions.toSorted((a, b) => compareVersions(numbersOf(b), numbersOf(a)));
  return newestFirst[0];
}

const numbersOf = (version: string) => version.split(/[.+-]/).map(Number);

/** A line of `ring help modules`: `  license@0.15.0:x86_64 - …`. */
const MODULE_LINE = /^\s*([^@]+)@([\w.+-]+)/;

/**
 * The version in the name, or else the one that `ring help modules` lists. It is only shown in the log, so it stays
 * undefined if ring does not list it, fails or hangs: decodes work without it.
 */
async function versionOf(calledAs: string, ring: RunOptions): Promise<string | undefined> {
  const [module, chosenVersion] = calledAs.split('@');
  if (chosenVersion !== undefined) return chosenVersion;

  const help = await helpModules(ring);
  for (const line of help.split('\n')) {
    const [, name, listedVersion] = MODULE_LINE.exec(line) ?? [];
    if (name === module) return listedVersion;
  }
  return undefined;
}

/** What `ring help modules` has printed, for each launcher and the time of its last change, see {@link modifiedAt}. */
const printedHelp = new Map<string, { changedAt: number; help: string }>();

/**
 * What `ring help modules` prints; nothing if it gives no result. Polls would start a JVM for it each time, so a launcher
 * that has answered is asked again only after it has changed.
 */
async function helpModules(ring: RunOptions): Promise<string> {
  const { launcher } = ring;
  const changedAt = await modifiedAt(launcher);
  const printed = printedHelp.get(launcher);
  if (printed?.changedAt === changedAt) return printed.help;

  try {
    const { stdout: help, exitCode } = await run(['help', 'modules'], ring);
    if (exitCode === 0) printedHelp.set(launcher, { changedAt, help });
    return help;
  } catch (error) {
    if (error instanceof RingError) return '';
    throw error;
  }
}
