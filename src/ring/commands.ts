import { dirname } from 'node:path';
import type { InstallationMonitor } from './installation/monitor.js';
import { readDebugRecords, type DebugDetails } from './output/debug-records.js';
import { launcherError } from './output/launcher-error.js';
import { parseList, type LicenseName } from './output/license-name.js';
import { splitLogRecords } from './output/log-records.js';
import { describeStartFailure } from './output/start-failures.js';
import { verdictOf } from './output/verdict.js';
import { licenseArguments, runRing, type RingLanguage } from './ring-command.js';
import { RunError, type RunFailure, type RunResult } from './run.js';
import type { RingSlots } from './slots.js';

/**
 * Why a command has no result: ring or its JVM cannot run, which only the operator can change; ring could not decode the
 * file; ring took too long; the signal aborted the command.
 */
export type RingFailure = 'unavailable' | 'undecodable' | 'timed_out' | 'aborted';

/** A command of ring without a result. The message is for the log. */
export class RingError extends Error {
  constructor(
    readonly reason: RingFailure,
    message: string,
  ) {
    super(message);
  }
}

/** For log lines about output that was not understood. */
export const DOCTOR_HINT = 'npm run doctor (in the image: doctor) tells what is understood';

/** Which ring one decode runs and where, for whom, and until when. */
export interface RingContext {
  launcher: string;
  /** What ring calls its license module. */
  module: string;
  /** Directory with the one license; its parent is for what the JVM unpacks. */
  licenses: string;
  /** Whose decode it is, see {@link RingSlots}. */
  client: string;
  signal: AbortSignal;
}

/** A finished run: the command without its arguments, and how it ended; `failed` is an exit status other than 0. */
export interface RunObservation {
  command: string;
  result: 'ok' | 'failed' | RunFailure;
  /** Seconds that it waited for its slot. */
  waited: number;
  /** Seconds that it ran. */
  seconds: number;
}

export interface RingOptions {
  monitor: InstallationMonitor;
  language: RingLanguage;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  slots: RingSlots;
  onRun: (run: RunObservation) => void;
}

export interface Validation extends DebugDetails {
  /** Whether the license fits this machine; null without a verdict. */
  valid: boolean | null;
  text: string;
}

/** ring's license commands, one method each. All throw {@link RingError}. */
export class Ring {
  constructor(private readonly options: RingOptions) {}

  /** Finds the ring that a decode runs. */
  async find(signal: AbortSignal): Promise<Pick<RingContext, 'launcher' | 'module'>> {
    const ring = await this.options.monitor.findRing(signal);
    if (!ring) throw new RingError('unavailable', 'no ring found: set RING_CMD or install ring');
    return ring;
  }

  /** `ring license list`: the license in the directory. */
  async list(context: RingContext): Promise<LicenseName> {
    const { exitCode, stdout } = await this.license(context, ['list']);
    const { text } = splitLogRecords(stdout);
    const name = exitCode === 0 ? parseList(text) : undefined;
    if (name) return name;
    const hint = exitCode === 0 && text !== '' ? `, but printed something else: ${DOCTOR_HINT}` : '';
    throw new RingError('undecodable', `license list named no license (exit status ${exitCode})${hint}`);
  }

  /** `ring license info`: what the license says. */
  async info(context: RingContext, { name }: LicenseName): Promise<string> {
    const { exitCode, stdout } = await this.license(context, ['info', '--name', name]);
    const { text } = splitLogRecords(stdout);
    if (exitCode === 0 && text !== '') return text;
    throw new RingError('undecodable', `license info gave no text (exit status ${exitCode})`);
  }

  /** `ring license validate`: whether the license fits this machine. In a container it nearly never does: no error. */
  async validate(context: RingContext, { name, pin }: LicenseName, debug: boolean): Promise<Validation> {
    const options = debug ? ['-l', 'debug'] : [];
    const { exitCode, stdout } = await this.license(context, ['validate', '--name', name], options);
    const { text, records } = splitLogRecords(stdout);
    return { valid: verdictOf({ exitCode, text }), text, ...readDebugRecords(records, pin) };
  }

  /** Runs a command in a slot. Returns what the license module itself has said, whatever the exit status. */
  private async license(
    context: RingContext,
    command: readonly [string, ...string[]],
    ringOptions: readonly string[] = [],
  ): Promise<RunResult> {
    const { monitor, language, env, timeoutMs, slots, onRun } = this.options;
    const { launcher, module, licenses, client, signal } = context;
    const args = licenseArguments(module, command, licenses, ringOptions);
    const priority = command[0] === 'list' ? 'normal' : 'high';
    const asked = performance.now();
    const observed = async (): Promise<RunResult> => {
      const started = performance.now();
      const { jvmOptions } = monitor;
      const directory = dirname(licenses);
      const run = runRing(args, { launcher, language, env, directory, jvmOptions, timeoutMs, signal });
      const result = await run.then(
        ({ exitCode }) => (exitCode === 0 ? 'ok' : 'failed'),
        (error: unknown) => (error as RunError).reason,
      );
      const seconds = (performance.now() - started) / 1000;
      onRun({ command: command[0], result, waited: (started - asked) / 1000, seconds });
      return run;
    };
    const result = await slots.use({ priority, client, signal }, observed).catch((error: unknown) => {
      if (!(error instanceof RunError)) throw error;
      throw new RingError(FAILURES[error.reason], `license ${command[0]}: ${error.message}`);
    });
    const failure = describeStartFailure(result);
    if (failure) throw new RingError('unavailable', failure);
    const refusal = launcherError(result);
    if (!refusal) return result;
    // Ring's fault or the file's? Ring may have been replaced since the last poll.
    const isFile = await monitor.confirmModule(module, signal);
    if (signal.aborted) throw new RingError('aborted', 'aborted while ring was asked for its module');
    throw new RingError(isFile ? 'undecodable' : 'unavailable', `ring refused the command: ${refusal}`);
  }
}

const FAILURES: Record<RunFailure, RingFailure> = {
  not_started: 'unavailable',
  killed: 'unavailable',
  output_limit: 'undecodable',
  timed_out: 'timed_out',
  aborted: 'aborted',
};
