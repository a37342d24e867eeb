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
 * A finished run of one of a decode's commands. Runs that only find out whether ring still answers are not observed:
 * polls, and the question that follows when the launcher refuses a command.
 */
export interface RunObservation {
  /** Without its arguments. */
  command: string;
  /** How it ended; `failed` is an exit status other than 0. */
  result: 'ok' | 'failed' | RingFailure;
  /** Seconds that it waited for its slot. */
  waited: number;
  /** Seconds that it ran. */
  seconds: number;
}

export interface RingOptions {
  monitor: InstallationMonitor;
  archive: ClassArchive;
  timeoutMs: number;
  slots: RingSlots;
  onRun: (run: RunObservation) => void;
}

/** Failures after which a poll follows, because ring or its module may be gone. */
const RECHECKED: RingFailure[] = ['not_started', 'refused', 'killed', 'crashed', 'timed_out'];

/** ring's license commands, one method each. All throw {@link RingError}. */
export class Ring {
  constructor(private readonly options: RingOptions) {}

  /** `ring license list`: the license in the directory. */
  async list(context: RingContext): Promise<LicenseName> {
    const output = await this.command(context, { name: 'list' });
    const license = readList(output);
    if (license) return license;

    const { monitor } = this.options;
    // An empty launcher, which a full disk or an update leaves behind, ends like this for every file.
    if (isSilent(output)) monitor.recheck();
    const words = `license list named no license (${describeEnd(output)})`;
    if (!monitor.isInstalled) {
      throw new RingError('not_started', `${words}, and the last poll found no ring that can decode`);
    }
    throw this.withoutResult(words, output);
  }

  /** `ring license info`: the text of the license. */
  async info(context: RingContext, { name: license }: LicenseName): Promise<string> {
    const output = await this.command(context, { name: 'info', license });
    const text = readInfoText(output);
    if (text !== undefined) return text;

    const words = `license info gave no text (${describeEnd(output)})`;
    throw this.withoutResult(words, output);
  }

  /**
   * `ring license validate`: whether the license fits this machine. A license that does not fit is a result and no error;
   * in a container nearly none fits.
   */
  async validate(context: RingContext, license: LicenseName, debug: boolean): Promise<Validation> {
    const output = await this.command(context, { name: 'validate', license: license.name, debug });
    return readValidation(output, license.pin);
  }

  /**
   * The error of a command that gave no result. The file is to blame, unless ring names a directory: then a poll follows,
   * as after every failure of ring itself.
   */
  private withoutResult(words: string, output: Output): RingError {
    if (isDirectoryFault(output)) {
      this.options.monitor.recheck();
      return new RingError('not_started', words);
    }
    return new RingError('undecodable', `${words}; if every file fails, ${DOCTOR_HINT}`);
  }

  /** Runs a command in a slot. Returns the output of the license module itself, whatever the exit status. */
  private async command(context: RingContext, command: Command): Promise<Output> {
    const { monitor, archive, slots } = this.options;
    const { client, signal } = context;
    // A decode begins with `list`, so the other commands belong to decodes that have begun.
    const priority = command.name === 'list' ? 'normal' : 'high';
    const waitsSince = performance.now();
    const runIt = () => {
      const waited = (performance.now() - waitsSince) / 1000;
      return this.runInSlot(context, command, waited);
    };
    try {
      return await slots.use({ priority, client, signal }, runIt);
    } catch (error) {
      if (!(error instanceof RingError)) throw error;

      const { reason, message } = error;
      if (mayBeArchive(error)) archive.giveUp();
      if (RECHECKED.includes(reason)) monitor.recheck();
      throw new RingError(reason, `license ${command.name}: ${message}`);
    }
  }

  /** @param waited seconds that the command has waited for its slot */
  private async runInSlot(context: RingContext, command: Command, waited: number): Promise<Output> {
    const { signal } = context;
    const { monitor, archive } = this.options;
    const found = await monitor.ringToRun(signal);
    if (!found) throw new RingError('not_started', 'no ring found: install ring, or set or correct RING_CMD');

    const ring = { ...found, jvmOptions: [...found.jvmOptions, ...archive.jvmOptions] };
    const output = await this.observedRun(ring, context, command, waited);
    const failure = failureOf(output);
    if (!failure) return output;

    if (failure.reason !== 'refused') throw failure;

    // The launcher has refused the command, because of its module or because of the file. If it starts the module without
    // the file, the file is at fault; if not, ring has been replaced or damaged since the last poll. Without an answer the
    // fault is taken to be ring's.
    const problem = await problemOf(ring.module, { ...ring, timeoutMs: START_TIMEOUT_MS, signal });
    if (signal.aborted) throw new RingError('aborted', 'aborted while ring was asked for its module');

    const reason = problem ? 'refused' : 'undecodable';
    throw new RingError(reason, `the launcher refused: ${failure.message}`);
  }

  /** Runs ring and reports how the run ended and how long it took, also when it has no result. */
  private async observedRun(
    ring: RingToRun,
    { licenses, signal }: RingContext,
    command: Command,
    waited: number,
  ): Promise<Output> {
    const { timeoutMs, onRun } = this.options;
    const args = argumentsOf(command, ring.module, licenses);
    const options = { ...ring, directory: dirname(licenses), timeoutMs, signal };
    const startedAt = performance.now();
    const observe = (result: RunObservation['result']) => {
      const endedAt = performance.now();
      const seconds = (endedAt - startedAt) / 1000;
      onRun({ command: command.name, result, waited, seconds });
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

/** Whether a run printed nothing at all. */
function isSilent({ text, records, stderr }: Output): boolean {
  return text === '' && records.length === 0 && stderr === '';
}
