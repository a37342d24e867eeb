import { dirname } from 'node:path';
import {
  argumentsOf,
  failureOf,
  readInfoText,
  readList,
  readValidation,
  type Command,
  type Output,
  type Validation,
} from './commands.js';
import { problemOf } from './installation/license-module.js';
import type { InstallationMonitor } from './installation/monitor.js';
import type { LicenseName } from './output/license-name.js';
import { splitLogRecords } from './output/log-records.js';
import { run, RunError, START_TIMEOUT_MS, type RunFailure } from './run.js';
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

/** Where one decode runs ring, for whom, and until when. */
export interface RingContext {
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
  timeoutMs: number;
  slots: RingSlots;
  onRun: (run: RunObservation) => void;
}

/** ring's license commands, one method each. All throw {@link RingError}. */
export class Ring {
  constructor(private readonly options: RingOptions) {}

  /** `ring license list`: the license in the directory. */
  async list(context: RingContext): Promise<LicenseName> {
    const output = await this.command(context, { name: 'list' });
    const license = readList(output);
    if (license) return license;
    const { exitCode, text } = output;
    const hint = exitCode === 0 && text !== '' ? `, but printed something else: ${DOCTOR_HINT}` : '';
    throw new RingError('undecodable', `license list named no license (exit status ${exitCode})${hint}`);
  }

  /** `ring license info`: what the license says. */
  async info(context: RingContext, { name: license }: LicenseName): Promise<string> {
    const output = await this.command(context, { name: 'info', license });
    const text = readInfoText(output);
    if (text !== undefined) return text;
    throw new RingError('undecodable', `license info gave no text (exit status ${output.exitCode})`);
  }

  /** `ring license validate`: whether the license fits this machine. In a container it nearly never does: no error. */
  async validate(context: RingContext, license: LicenseName, debug: boolean): Promise<Validation> {
    const output = await this.command(context, { name: 'validate', license: license.name, debug });
    return readValidation(output, license.pin);
  }

  /** Runs a command in a slot. Returns what the license module itself has said, whatever the exit status. */
  private async command(context: RingContext, command: Command): Promise<Output> {
    const { monitor, slots } = this.options;
    const { client, signal } = context;
    const priority = command.name === 'list' ? 'normal' : 'high';
    const asked = performance.now();
    try {
      return await slots.use({ priority, client, signal }, () => this.run(context, command, asked));
    } catch (caught) {
      const error = caught as RunError | RingError;
      const reason = error instanceof RunError ? FAILURES[error.reason] : error.reason;
      if (reason === 'unavailable') monitor.recheck();
      throw error instanceof RingError
        ? error
        : new RingError(reason, `license ${command.name}: ${error.message}`);
    }
  }

  /** @param asked when the command began to wait for its slot */
  private async run({ licenses, signal }: RingContext, command: Command, asked: number): Promise<Output> {
    const { monitor, timeoutMs, onRun } = this.options;
    const ring = await monitor.ringToRun(signal);
    if (!ring) throw new RingError('unavailable', 'no ring found: set RING_CMD or install ring');
    const started = performance.now();
    const args = argumentsOf(command, ring.module, licenses);
    const ended = run(args, { ...ring, directory: dirname(licenses), timeoutMs, signal });
    const result = await ended.then(
      ({ exitCode }) => (exitCode === 0 ? 'ok' : 'failed'),
      (error: unknown) => (error as RunError).reason,
    );
    const seconds = (performance.now() - started) / 1000;
    onRun({ command: command.name, result, waited: (started - asked) / 1000, seconds });
    const output = await ended;
    const failure = failureOf(output);
    if (!failure) return { ...splitLogRecords(output.stdout), exitCode: output.exitCode };
    if (failure.kind === 'not_started') throw new RingError('unavailable', failure.words);
    // Ring's fault or the file's? Ring may have been replaced since the last poll. Without an answer it is ring's.
    const asking = problemOf(ring.module, { ...ring, timeoutMs: START_TIMEOUT_MS, signal });
    const isRings = await asking.catch(() => true);
    if (signal.aborted) throw new RunError('aborted', 'aborted while ring was asked for its module');
    throw new RingError(
      isRings ? 'unavailable' : 'undecodable',
      `ring refused the command: ${failure.words}`,
    );
  }
}

const FAILURES: Record<RunFailure, RingFailure> = {
  not_started: 'unavailable',
  killed: 'unavailable',
  output_limit: 'undecodable',
  timed_out: 'timed_out',
  aborted: 'aborted',
};
