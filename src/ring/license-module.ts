import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { licenseArguments } from './arguments.js';
import { ringEnvironment, type RingLanguage } from './environment.js';
import { installedAt, isAccessible } from './locate.js';
import { splitLogRecords } from './log-records.js';
import { run, type RunResult } from './run.js';
import { describeStartFailure } from './start-failures.js';

/** Where ring looks its modules up, unless E1C_RING_COMMANDS names another file. */
const REGISTRY = '/etc/1C/1CE/ring-commands.cfg';
/** A directory that is there wherever the service runs, has no license in it, and needs no clean-up. */
const NO_LICENSES = import.meta.dirname;
/** A module that no ring has. */
const NO_MODULE = 'no-such-module';
/** Milliseconds for one run: the start of a JVM on a very busy machine. */
const CHECK_TIMEOUT_MS = 20_000;

/** ring's module `license`, which is installed apart from ring and has a version of its own. */
export interface LicenseModule {
  /** `unknown` where nothing proves that it is there or missing; decodes then show it. */
  state: 'present' | 'missing' | 'unknown';
  /** As the registry says; undefined when it does not. */
  version: string | undefined;
  /** What is wrong, for the operator. */
  problem: string | undefined;
  /** What the answer depends on. A missing module is looked for again all the same. */
  identity: string;
}

type Finding = Pick<LicenseModule, 'state' | 'problem'>;

interface ListOptions {
  language: RingLanguage;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
}

interface Registry {
  path: string;
  /** Undefined when there is no such file, or it cannot be read. */
  text: string | undefined;
  /** The version of the license module, when it has an entry. */
  version: string | undefined;
  /** What keeps ring from finding the module by this registry. */
  problem: string | undefined;
}

/**
 * Finds out whether ring knows its license module, by `license list` on a directory without licenses. No real output
 * without the module is known, and a ring that works may answer with any text and status. So the module counts as
 * missing only when ring fails, the registry has no usable entry, and either there is a registry or ring answers
 * `license` exactly as a module that does not exist.
 * @param last the previous answer, which holds for the same installation
 */
export async function findLicenseModule(
  launcher: string,
  options: ListOptions,
  last: LicenseModule | undefined,
): Promise<LicenseModule> {
  const registry = await readRegistry(options.env['E1C_RING_COMMANDS'] ?? REGISTRY);
  const identity = JSON.stringify([launcher, await installedAt(launcher), registry]);
  if (last?.identity === identity && last.state !== 'missing') return last;
  const found = await check(launcher, options, registry).catch((error: unknown): Finding => ({
    state: 'unknown',
    problem: (error as Error).message,
  }));
  return { ...found, version: registry.version, identity };
}

async function check(launcher: string, options: ListOptions, registry: Registry): Promise<Finding> {
  const result = await list('license', launcher, options);
  if (result.exitCode === 0) return { state: 'present', problem: undefined };
  const failure = describeStartFailure(result);
  if (failure) return { state: 'unknown', problem: failure };
  if (registry.problem === undefined) return { state: 'present', problem: undefined };
  const isMissing =
    registry.text !== undefined || isSameAnswer(result, await list(NO_MODULE, launcher, options));
  return { state: isMissing ? 'missing' : 'unknown', problem: registry.problem };
}

function list(module: string, launcher: string, { language, env, signal }: ListOptions): Promise<RunResult> {
  const args = licenseArguments(['list'], NO_LICENSES).map((arg) => (arg === 'license' ? module : arg));
  return run(launcher, args, {
    cwd: tmpdir(),
    env: ringEnvironment(env, { language }),
    timeoutMs: CHECK_TIMEOUT_MS,
    signal,
  });
}

/** Whether ring named both modules, and said the same of both. */
function isSameAnswer(license: RunResult, other: RunResult): boolean {
  const [one, two] = [license, other].map(({ stdout, stderr }) => splitLogRecords(stdout).text || stderr);
  if (one === undefined || two === undefined || license.exitCode !== other.exitCode) return false;
  return two.includes(NO_MODULE) && one.replaceAll('license', '') === two.replaceAll(NO_MODULE, '');
}

async function readRegistry(path: string): Promise<Registry> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const none = { path, text, version: undefined };
  if (text === undefined) return { ...none, problem: `${path} is missing or cannot be read` };
  // Up to the next key. Versions and files of all entries: ring chooses.
  const entries = /^["']?license["']?[ \t]*:(.*(?:\r?\n(?:[ \t#-].*)?)*)/m.exec(text)?.[1] ?? '';
  const files = valuesOf('file', entries);
  if (files.length === 0) return { ...none, problem: `${path} has no license module` };
  const readable = await Promise.all(files.map(isReadable));
  const problem = readable.includes(true) ? undefined : `${path} names ${files[0]}, which cannot be read`;
  return { path, text, version: valuesOf('version', entries).join(', '), problem };
}

/** The values of a key in YAML, quoted or not. */
const valuesOf = (key: string, yaml: string): string[] =>
  [
    ...yaml.matchAll(new RegExp(`\\b${key}["']?[ \\t]*:[ \\t]*(?:"([^"\\n]*)|'([^'\\n]*)|([^\\s,}]*))`, 'g')),
  ].map(([, double, single, bare]) => [double, single, bare].find((value) => value) ?? '');

/** What a relative path starts from is not known. */
const isReadable = async (file: string) => !isAbsolute(file) || isAccessible(file, constants.R_OK);
