import { dirname } from 'node:path';
import { licenseArguments } from './arguments.js';
import { ringEnvironment, type RingLanguage } from './environment.js';
import { licenseHardware, machineHardware, previousPin } from './hardware.js';
import type { JvmTuning } from './jvm/tuning.js';
import { parseList, type LicenseName } from './license-name.js';
import { findRing } from './locate.js';
import { splitLogRecords } from './log-records.js';
import { run, RunError, type RunFailure, type RunResult } from './run.js';
import type { RingSlots, SlotRequest } from './slots.js';
import { describeStartFailure } from './start-failures.js';

/** ring or its JVM cannot run, which only the operator can change. The message is for the log. */
export class RingUnavailableError extends Error {}

/** Names the self-check, for log lines about output that was not understood. */
export const DOCTOR_HINT = 'npm run doctor (in the image: doctor) tells what is understood';

/** ring ran, but could not decode the file. The message is for the log. */
export class UndecodableError extends Error {}

/** Where one decode runs ring, for whom, and until when. */
export interface RingContext {
  launcher: string;
  /** Directory with the one license. */
  licenses: string;
  /** Directory for the JVM's temporary files. */
  tmp: string;
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

/** ring's license commands, one method each. */
export class Ring {
  constructor(private readonly options: RingOptions) {}

  /**
   * Finds ring's launcher.
   * @throws {RingUnavailableError} when there is none
   */
  async launcher(): Promise<string> {
    const launcher = await findRing(this.options.command, this.options.env);
    if (!launcher) throw new RingUnavailableError('no ring found: set RING_CMD or install ring');
    return launcher;
  }

  /**
   * `ring license list`: the license in the directory.
   * @throws {UndecodableError} when ring names none
   */
  async list(context: RingContext): Promise<LicenseName> {
    const { exitCode, stdout } = await this.license('normal', context, ['list']);
    const { text } = splitLogRecords(stdout);
    const name = exitCode === 0 ? parseList(text) : undefined;
    if (name) return name;
    const hint = exitCode === 0 && text !== '' ? `, but printed something else: ${DOCTOR_HINT}` : '';
    throw new UndecodableError(`license list named no license (exit status ${exitCode})${hint}`);
  }

  /**
   * `ring license info`: what the license says.
   * @throws {UndecodableError} when ring cannot tell
   */
  async info(context: RingContext, { name }: LicenseName): Promise<string> {
    const { exitCode, stdout } = await this.license('high', context, ['info', '--name', name]);
    const { text } = splitLogRecords(stdout);
    if (exitCode !== 0 || text === '') {
      throw new UndecodableError(`license info gave no text (exit status ${exitCode})`);
    }
    return text;
  }

  /**
   * `ring license validate`: whether the license fits this machine. An exit status other than 0 is a normal result:
   * in a container the hardware nearly always differs.
   */
  async validate(context: RingContext, { name, pin }: LicenseName, debug: boolean): Promise<Validation> {
    const command = ['validate', '--name', name];
    const { exitCode, stdout } = await this.license('high', context, command, debug ? ['-l', 'debug'] : []);
    const { text, records } = splitLogRecords(stdout);
    return {
      valid: exitCode === 0,
      text,
      licenseHardware: licenseHardware(records, pin),
      machineHardware: machineHardware(records),
      previousPin: previousPin(records, pin),
    };
  }

  private async license(
    priority: SlotRequest['priority'],
    context: RingContext,
    command: readonly string[],
    ringOptions: readonly string[] = [],
  ): Promise<RunResult> {
    const { language, timeoutMs, slots, tuning, env, onWait } = this.options;
    const { launcher, licenses, tmp, client, signal } = context;
    const args = licenseArguments(command, licenses, ringOptions);
    const since = performance.now();
    try {
      const result = await slots.use({ priority, client, signal }, () => {
        onWait((performance.now() - since) / 1000);
        const ringEnv = ringEnvironment(env, { language, tmpDirectory: tmp, jvmOptions: tuning.jvmOptions });
        const options = { cwd: dirname(licenses), env: ringEnv, timeoutMs, signal };
        return this.observed(command[0] ?? '', () => run(launcher, args, options));
      });
      const failure = describeStartFailure(result);
      if (failure) throw new RingUnavailableError(failure);
      return result;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      switch (error.reason) {
        case 'not_started':
        case 'killed':
          throw new RingUnavailableError(`ring ${error.message}`);
        case 'output_limit':
          throw new UndecodableError(`license ${command[0]} ${error.message}`);
        default:
          throw error;
      }
    }
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
