import { dirname } from 'node:path';
import type { RingLanguage } from './environment.js';
import type { LicenseModule } from './installation/license-module.js';
import { findRing } from './installation/locate.js';
import type { JvmTuning } from './jvm/tuning.js';
import { licenseHardware, machineHardware, previousPin } from './output/hardware.js';
import { launcherError } from './output/launcher-error.js';
import { parseList, type LicenseName } from './output/license-name.js';
import { splitLogRecords } from './output/log-records.js';
import { describeStartFailure } from './output/start-failures.js';
import { licenseArguments, runRing } from './ring-command.js';
import { RunError, type RunFailure, type RunResult } from './run.js';
import type { RingSlots, SlotRequest } from './slots.js';

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

/** Names the self-check, for log lines about output that was not understood. */
export const DOCTOR_HINT = 'npm run doctor (in the image: doctor) tells what is understood';

/** Which ring runs. */
export interface InstalledRing {
  launcher: string;
  /** What ring calls its license module. */
  module: string;
}

/** Where one decode runs ring, for whom, and until when. */
export interface RingContext extends InstalledRing {
  /** Directory with the one license; its parent is for what the JVM unpacks. */
  licenses: string;
  /** Whose decode it is, see {@link SlotRequest}. */
  client: string;
  signal: AbortSignal;
}

/** A finished run: the command without its arguments, and how it ended; `failed` is an exit status other than 0. */
export interface RunObservation {
  command: string;
  result: 'ok' | 'failed' | RunFailure;
  seconds: number;
}

export interface RingOptions {
  command: string | undefined;
  language: RingLanguage;
  timeoutMs: number;
  slots: RingSlots;
  tuning: JvmTuning;
  env: NodeJS.ProcessEnv;
  /** The license module as last checked. */
  module: () => Promise<LicenseModule | undefined>;
  /** The same, checked once more if there was no problem. */
  checkModule: () => Promise<LicenseModule | undefined>;
  onRun: (run: RunObservation) => void;
  /** Called with the seconds that a run has waited for its slot. */
  onWait: (seconds: number) => void;
}

export interface Validation {
  /** Whether the license fits this machine. */
  valid: boolean;
  text: string;
  /** Undefined where ring printed no such record, as always without debug. */
  licenseHardware: string | undefined;
  machineHardware: string | undefined;
  /** Digits only; null without debug. */
  previousPin: string | null;
}

/** ring's license commands, one method each. All throw {@link RingError}. */
export class Ring {
  constructor(private readonly options: RingOptions) {}

  /** Finds ring: anew for each decode, so that one that is installed later needs no restart. */
  async find(): Promise<InstalledRing> {
    const { command, env, module } = this.options;
    const launcher = await findRing(command, env);
    if (!launcher) throw new RingError('unavailable', 'no ring found: set RING_CMD or install ring');
    return { launcher, module: (await module())?.name ?? 'license' };
  }

  /** `ring license list`: the license in the directory. */
  async list(context: RingContext): Promise<LicenseName> {
    const { exitCode, stdout } = await this.license('normal', context, ['list']);
    const { text } = splitLogRecords(stdout);
    const name = exitCode === 0 ? parseList(text) : undefined;
    if (name) return name;
    const hint = exitCode === 0 && text !== '' ? `, but printed something else: ${DOCTOR_HINT}` : '';
    throw new RingError('undecodable', `license list named no license (exit status ${exitCode})${hint}`);
  }

  /** `ring license info`: what the license says. */
  async info(context: RingContext, { name }: LicenseName): Promise<string> {
    const { exitCode, stdout } = await this.license('high', context, ['info', '--name', name]);
    const { text } = splitLogRecords(stdout);
    if (exitCode === 0 && text !== '') return text;
    throw new RingError('undecodable', `license info gave no text (exit status ${exitCode})`);
  }

  /**
   * `ring license validate`: whether the license fits this machine. An exit status other than 0 is a normal result:
   * in a container the hardware nearly always differs.
   */
  async validate(context: RingContext, { name, pin }: LicenseName, debug: boolean): Promise<Validation> {
    const options = debug ? ['-l', 'debug'] : [];
    const { exitCode, stdout } = await this.license('high', context, ['validate', '--name', name], options);
    const { text, records } = splitLogRecords(stdout);
    return {
      valid: exitCode === 0,
      text,
      licenseHardware: licenseHardware(records, pin),
      machineHardware: machineHardware(records),
      previousPin: previousPin(records, pin),
    };
  }

  /** Runs a command in a slot. Returns what the license module itself has said, whatever the exit status. */
  private async license(
    priority: SlotRequest['priority'],
    context: RingContext,
    command: readonly [string, ...string[]],
    ringOptions: readonly string[] = [],
  ): Promise<RunResult> {
    const { language, timeoutMs, slots, tuning, env, onWait } = this.options;
    const { launcher, module, licenses, client, signal } = context;
    const args = licenseArguments(module, command, licenses, ringOptions);
    const directory = dirname(licenses);
    const since = performance.now();
    const result = await slots
      .use({ priority, client, signal }, () => {
        onWait((performance.now() - since) / 1000);
        const { jvmOptions } = tuning;
        const ring = { launcher, language, env, directory, jvmOptions, timeoutMs, signal };
        return this.observed(command[0], () => runRing(args, ring));
      })
      .catch((error: unknown) => {
        if (!(error instanceof RunError)) throw error;
        throw new RingError(FAILURES[error.reason], `license ${command[0]}: ${error.message}`);
      });
    const failure = describeStartFailure(result);
    if (failure) throw new RingError('unavailable', failure);
    const refusal = launcherError(result);
    if (refusal) throw await this.refused(module, refusal);
    return result;
  }

  /** Was it ring, which may have been replaced since the last check, or the file? */
  private async refused(module: string, refusal: string): Promise<RingError> {
    const current = await this.options.checkModule();
    const isRing = current?.problem !== undefined || (current !== undefined && current.name !== module);
    return new RingError(isRing ? 'unavailable' : 'undecodable', `ring refused the command: ${refusal}`);
  }

  private async observed(command: string, start: () => Promise<RunResult>): Promise<RunResult> {
    const since = performance.now();
    const observe = (result: RunObservation['result']) =>
      this.options.onRun({ command, result, seconds: (performance.now() - since) / 1000 });
    try {
      const result = await start();
      observe(result.exitCode === 0 ? 'ok' : 'failed');
      return result;
    } catch (error) {
      if (error instanceof RunError) observe(error.reason);
      throw error;
    }
  }
}

const FAILURES: Record<RunFailure, RingFailure> = {
  not_started: 'unavailable',
  killed: 'unavailable',
  output_limit: 'undecodable',
  timed_out: 'timed_out',
  aborted: 'aborted',
};
