import { argumentsOf, failureOf, outputOf, type Failure } from '../commands.js';
import { versionsOffered } from '../output/launcher-error.js';
import { RingError, type RingFailure } from '../ring-error.js';
import type { RunOptions } from '../environment.js';
import { run } from '../run.js';
import { compareVersions } from './versions.js';

/** Questions in a row without an answer that change nothing: a busy machine has not lost its tools. */
export const MAX_TIMEOUTS = 2;
/** The module's name where no version has to be chosen. */
const UNVERSIONED = 'license';
/** Ends of a run that tell that ring does not start. */
const ENDED_BADLY: RingFailure[] = ['killed', 'not_started'];
/** A directory without licenses that always exists. */
const NO_LICENSES = import.meta.dirname;

/** ring's module `license`, which is installed apart from ring and has a version of its own. */
export interface LicenseModule {
  /** As ring is called: `license`, or with a version `license@0.15.0`. */
  name: string;
  /** Undefined when ring does not tell. */
  version: string | undefined;
  /** Why ring cannot decode anything; undefined once it has answered. */
  problem: Failure | undefined;
  /** Questions in a row that it left without an answer. */
  timeouts: number;
}

/** One answer about the module. */
type Found = Omit<LicenseModule, 'timeouts'>;

/**
 * Finds out how ring's license module is called, and whether it starts. Of several versions the newest counts.
 * @param wanted RING_MODULE, which overrides the name
 * @param last the previous answer; a good one holds while {@link MAX_TIMEOUTS} questions get no other
 */
export async function findLicenseModule(
  ring: RunOptions,
  wanted: string | undefined,
  last: LicenseModule | undefined,
): Promise<LicenseModule> {
  try {
    const found = wanted === undefined ? await askAndChoose(ring) : await ask(wanted, ring);
    return { ...found, timeouts: 0 };
  } catch (error) {
    if (!(error instanceof RingError)) throw error;

    const timeouts = (last?.timeouts ?? 0) + 1;
    const wasUsable = last !== undefined && last.problem === undefined;
    if (wasUsable && timeouts <= MAX_TIMEOUTS) return { ...last, timeouts };

    const words = `license list did not answer (${timeouts} in a row): ${error.message}`;
    const problem: Failure = { kind: 'no_answer', words, isInstallationFault: false };
    return { name: wanted ?? UNVERSIONED, version: undefined, problem, timeouts };
  }
}

/** Asks for the module without a version. If ring has several, it offers them, and this asks for the newest. */
async function askAndChoose(ring: RunOptions): Promise<Found> {
  const found = await ask(UNVERSIONED, ring);
  if (!found.problem) return found;

  const offered = versionsOffered(found.problem.words);
  if (offered === undefined) return found;

  const newest = newestOf(offered);
  if (newest !== undefined) return ask(`${UNVERSIONED}@${newest}`, ring);

  const words = `${found.problem.words} Set RING_MODULE, such as license@0.15.0.`;
  return { ...found, problem: { ...found.problem, words } };
}

async function ask(name: string, ring: RunOptions): Promise<Found> {
  const problem = await problemOf(name, ring);
  // A module that does not start has no version worth asking for.
  const version = problem ? undefined : await versionOf(name, ring);
  return { name, version, problem };
}

/**
 * Runs `license list` on a directory without licenses. Whatever the module answers, even an error, proves that it runs.
 * @returns undefined when the module has answered, otherwise the fault that kept it from answering
 * @throws {RingError} when ring gives no answer
 */
export async function problemOf(name: string, ring: RunOptions): Promise<Failure | undefined> {
  try {
    const ended = await run(argumentsOf({ name: 'list' }, name, NO_LICENSES), ring);
    return failureOf(outputOf(ended));
  } catch (error) {
    const hasEnded = error instanceof RingError && ENDED_BADLY.includes(error.reason);
    if (!hasEnded) throw error;
    return { kind: 'not_started', words: error.message, isInstallationFault: false };
  }
}

function newestOf(versions: string[]): string | undefined {
  const newestFirst = versions.toSorted((a, b) => compareVersions(numbersOf(b), numbersOf(a)));
  return newestFirst[0];
}

const numbersOf = (version: string) => version.split(/[.+-]/).map(Number);

/** A line of `ring help modules`: `  license@0.15.0:x86_64 - …`. */
const MODULE_LINE = /^\s*([^@]+)@([\w.+-]+)/;

/** The version in the name, or else the one that `ring help modules` lists. Undefined where that does not answer. */
async function versionOf(calledAs: string, ring: RunOptions): Promise<string | undefined> {
  const [module, chosenVersion] = calledAs.split('@');
  if (chosenVersion !== undefined) return chosenVersion;

  const help = await run(['help', 'modules'], ring).catch(() => undefined);
  const lines = help?.stdout.split('\n') ?? [];
  for (const line of lines) {
    const [, name, listedVersion] = MODULE_LINE.exec(line) ?? [];
    if (name === module) return listedVersion;
  }
  return undefined;
}
