import { argumentsOf, failureOf, outputOf, type Failure } from '../commands.js';
import { versionsOffered } from '../output/launcher-error.js';
import type { RingError } from '../ring-error.js';
import type { RunOptions } from '../environment.js';
import { run } from '../run.js';
import { compareVersions } from './versions.js';

/** Questions in a row without an answer that change nothing: a busy machine has not lost its tools. */
export const MAX_TIMEOUTS = 2;
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
  let name = wanted ?? 'license';
  try {
    let problem = await problemOf(name, ring);
    const offered = wanted === undefined && problem ? versionsOffered(problem.words) : undefined;
    const newest = offered?.toSorted((a, b) => compareVersions(numbersOf(b), numbersOf(a)))[0];
    if (newest !== undefined) {
      name = `license@${newest}`;
      problem = await problemOf(name, ring);
    } else if (offered && problem) problem.words += ' Set RING_MODULE, such as license@0.15.0.';
    return { name, version: problem ? undefined : await versionOf(name, ring), problem, timeouts: 0 };
  } catch (error) {
    const timeouts = (last?.timeouts ?? 0) + 1;
    if (last && !last.problem && timeouts <= MAX_TIMEOUTS) return { ...last, timeouts };
    const words = `license list did not answer (${timeouts} in a row): ${(error as RingError).message}`;
    return {
      name,
      version: undefined,
      problem: { kind: 'no_answer', words, isInstallationFault: false },
      timeouts,
    };
  }
}

/**
 * Asks ring for the module by `license list` on a directory without licenses, which no answer of the module itself is
 * a problem of.
 * @throws {RingError} when ring gives no answer
 */
export async function problemOf(name: string, ring: RunOptions): Promise<Failure | undefined> {
  try {
    return failureOf(outputOf(await run(argumentsOf({ name: 'list' }, name, NO_LICENSES), ring)));
  } catch (error) {
    const { reason, message: words } = error as RingError;
    if (reason === 'killed' || reason === 'not_started')
      return { kind: 'not_started', words, isInstallationFault: false };
    throw error;
  }
}

const numbersOf = (version: string) => version.split(/[.+-]/).map(Number);

/** From `ring help modules`: `  license@0.15.0:x86_64 - …`. */
async function versionOf(name: string, ring: RunOptions): Promise<string | undefined> {
  const [module = '', version] = name.split('@');
  if (version !== undefined) return version;
  const { stdout } = await run(['help', 'modules'], ring).catch(() => ({ stdout: '' }));
  const line = stdout.split('\n').find((text) => text.trimStart().startsWith(`${module}@`));
  return /@([\w.+-]+)/.exec(line ?? '')?.[1];
}
