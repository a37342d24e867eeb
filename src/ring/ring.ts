import { dirname } from 'node:path';
import {
  argumentsOf,
  failureOf,
  isDirectoryFault,
  outputOf,
  readInfoText,
  readList,
  readValidation,
  type Command,
  type Validation,
} from './commands.js';
import { problemOfLauncher } from './installation/installation.js';
import { problemOf } from './installation/license-module.js';
import type { InstallationMonitor, RingToRun } from './installation/monitor.js';
import { mayBeArchive } from './crash.js';
import type { ClassArchive } from './jvm/class-archive.js';
import type { LicenseName } from './output/license-name.js';
import type { Output } from './output/log-records.js';
import { redactSentence } from './output/redact.js';
import { RingError, type RingFailure } from './ring-error.js';
import { run, START_TIMEOUT_MS } from './run.js';
import type { RingSlots } from './slots.js';

/** Advice in log lines about output that was not understood. */
export const DOCTOR_HINT = 'npm run doctor (in the image: doctor) tells what is understood';

/** Where one decode runs ring, for whom, and until when. */
export interface RingContext {
  /** Directory with the one license. Its parent is ring's working directory, into which the JVM unpacks its libraries. */
  licenses: string;
  /** Whose decode it is, see {@link RingSlots}. */
  client: string;
  signal: AbortSignal;
}

/**
 * A finished run of one of a decode's commands. Runs that only find out whether ring works are not observed: polls, and
 * the question that follows a command without a result.
 */
export interface RunObservation {
  /** Without its arguments. */
  command: string;
  /** How it ended; `failed` is an exit status other than 0. */
  result: 'ok' | 'failed' | RingFailure;
  /** Seconds that it ran. */
  seconds: number;
}

export interface RingOptions {
  monitor: InstallationMonitor;
  archive: ClassArchive;
  timeoutMs: number;
  slots: RingSlots;
  onWait: (seconds: number) => void;
  onRun: (run: RunObservation) => void;
}

/** Failures after which a poll follows, because ring or its module may be gone. */
const RECHECKED: RingFailure[] = ['not_started', 'killed', 'crashed', 'timed_out'];

/** Finds the result of a command; undefined when there is none. */
type Read<Result> = (output: Output) => Result | undefined;

/** ring's license commands, one method each. All throw {@link RingError}. */
export class Ring {
  constructor(private readonly options: RingOptions) {}

  /** `ring license list`: the license in the directory. */
  list(context: RingContext): Promise<LicenseName> {
    return this.command(context, { name: 'list' }, readList);
  }

  /** `ring license info`: the text of the license. */
  info(context: RingContext, { name: license }: LicenseName): Promise<string> {
    return this.command(context, { name: 'info', license }, readInfoText);
  }

  /**
   * `ring license validate`: whether the license fits this machine. A license that does not fit is a result and no error;
   * in a container nearly none fits.
   */
  validate(context: RingContext, { name: license, pin }: LicenseName, debug: boolean): Promise<Validation> {
    return this.command(context, { name: 'validate', license, debug }, (output) =>
      readValidation(output, pin),
    );
  }

  /**
   * Runs a command in a slot.
   * @param read finds the result in the output of the license module, whatever the exit status
   */
  private async command<Result>(context: RingContext, command: Command, read: Read<Result>): Promise<Result> {
    const { monitor, archive, slots, onWait } = this.options;
    const { client, signal } = context;
    // A decode begins with `list`, so the other commands belong to decodes that have begun.
    const priority = command.name === 'list' ? 'normal' : 'high';
    const runIt = () => this.runInSlot(context, command, read);
    try {
      return await slots.use({ priority, client, signal, onWait }, runIt);
    } catch (error) {
      if (!(error instanceof RingError)) throw error;

      const { reason, message } = error;
      if (mayBeArchive(error)) archive.giveUp();
      if (RECHECKED.includes(reason)) monitor.recheck();
      throw new RingError(reason, `license ${command.name}: ${message}`);
    }
  }

  private async runInSlot<Result>(
    context: RingContext,
    command: Command,
    read: Read<Result>,
  ): Promise<Result> {
    const { signal } = context;
    const { monitor, archive } = this.options;
    const found = await monitor.ringToRun(signal);
    const archiveOptions = await archive.jvmOptions();
    const ring = { ...found, jvmOptions: [...found.jvmOptions, ...archiveOptions] };
    const output = await this.observedRun(ring, context, command);
    const failure = failureOf(output);
    const isRefused = failure?.reason === 'refused';
    if (failure && !isRefused) throw failure;

    const result = isRefused ? undefined : read(output);
    if (result !== undefined) return result;

    const words = isRefused
      ? `the launcher refused: ${failure.message}`
      : `no result (${describeEnd(output)})`;
    if (isDirectoryFault(output)) throw new RingError('not_started', words);

    // If ring works without the file, the file is at fault; if not, ring was replaced or damaged: an empty launcher, which
    // an update or a full disk leaves behind, says nothing and succeeds. Without an answer the fault is taken to be ring's.
    const asked = { ...ring, timeoutMs: START_TIMEOUT_MS, signal };
    const problem = isRefused ? await problemOf(ring.module, asked) : await problemOfLauncher(asked);
    if (signal.aborted) throw new RingError('aborted', 'aborted while ring was run without the file');

    if (problem) throw new RingError('not_started', `${words}; without the file: ${problem.message}`);
    throw new RingError('undecodable', `${words}; if every file fails, ${DOCTOR_HINT}`);
  }

  /** Runs ring and reports how the run ended and how long it took, also when it has no result. */
  private async observedRun(
    ring: RingToRun,
    { licenses, signal }: RingContext,
    command: Command,
  ): Promise<Output> {
    const { timeoutMs, onRun } = this.options;
    const args = argumentsOf(command, ring.module, licenses);
    const options = { ...ring, directory: dirname(licenses), timeoutMs, signal };
    const startedAt = performance.now();
    const observe = (result: RunObservation['result']) => {
      const endedAt = performance.now();
      const seconds = (endedAt - startedAt) / 1000;
      onRun({ command: command.name, result, seconds });
    };

    try {
      const ended = await run(args, options);
      observe(ended.exitCode === 0 ? 'ok' : 'failed');
      return outputOf(ended);
    } catch (error) {
      if (!(error instanceof RingError)) throw error;

      observe(error.reason);
      throw error;
    }
  }
}

/** The exit status of a run, and ring's words as far as they may be logged. */
function describeEnd({ exitCode, text }: Output): string {
  const status = `exit status ${exitCode}`;
  return text === '' ? status : `${status}: ${redactSentence(text)}`;
}
