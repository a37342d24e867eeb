import { argumentsOf, failureOf, type Failure } from '../commands.js';
import { versionsOffered } from '../output/launcher-error.js';
import { run, type RunError, type RunOptions } from '../run.js';
import { modifiedAt } from './locate.js';
import { compareVersions } from './versions.js';

/** Where ring looks its modules up; E1C_RING_COMMANDS may name another file, which is not proven. */
const REGISTRY = '/etc/1C/1CE/ring-commands.cfg';
/** A directory without licenses that always exists. */
const NO_LICENSES = import.meta.dirname;

/** ring's module `license`, which is installed apart from ring and has a version of its own. */
export interface LicenseModule {
  /** As ring is called: `license`, or with a version `license@0.15.0`. */
  name: string;
  /** Undefined when ring does not tell. */
  version: string | undefined;
  /** Why ring cannot decode anything; undefined when nothing is known. */
  problem: Failure | undefined;
  /** What ring's answer depends on; empty when it gave none, so that it is asked again. */
  identity: string;
}

/**
 * Finds out how ring's license module is called, and whether it starts. Of several versions the newest counts.
 * @param wanted RING_MODULE, which overrides the name
 * @param last the previous answer, which holds for the same installation unless there was a problem, and while ring
 *   gives no other
 */
export async function findLicenseModule(
  ring: RunOptions,
  wanted: string | undefined,
  last: LicenseModule | undefined,
): Promise<LicenseModule> {
  const registry = ring.env['E1C_RING_COMMANDS'] ?? REGISTRY;
  const times = await Promise.all([ring.launcher, registry].map(modifiedAt));
  const identity = [ring.launcher, ...times].join();
  if (last?.identity === identity && last.problem === undefined) return last;
  let name = wanted ?? 'license';
  try {
    let problem = await problemOf(name, ring);
    const offered = wanted === undefined && problem ? versionsOffered(problem.words) : undefined;
    const newest = offered?.toSorted((a, b) => compareVersions(numbersOf(b), numbersOf(a)))[0];
    if (newest !== undefined) {
      name = `license@${newest}`;
      problem = await problemOf(name, ring);
    } else if (offered && problem) problem.words += ' Set RING_MODULE, such as license@0.15.0.';
    return { name, version: problem ? undefined : await versionOf(name, ring), problem, identity };
  } catch {
    // A run that did not end says nothing about the module.
    return { ...(last ?? { name, version: undefined, problem: undefined }), identity: '' };
  }
}

/**
 * Asks ring for the module by `license list` on a directory without licenses, which no answer of the module itself is
 * a problem of.
 * @throws {RunError} when ring gives no answer
 */
export async function problemOf(name: string, ring: RunOptions): Promise<Failure | undefined> {
  return run(argumentsOf({ name: 'list' }, name, NO_LICENSES), ring).then(failureOf, (error: unknown) => {
    const { reason, message: words } = error as RunError;
    if (reason === 'killed' || reason === 'not_started') return { kind: 'not_started', words };
    throw error;
  });
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
