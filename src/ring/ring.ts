import { dirname } from 'node:path';
import { ringEnvironment } from './environment.js';
import { licenseHardware, machineHardware } from './hardware.js';
import type { JvmTuning } from './jvm-tuning.js';
import { findRing } from './launcher.js';
import type { RunObservation } from '../metrics.js';
import { parseList, type LicenseName } from './license-name.js';
import { splitLogRecords } from './log-records.js';
import { run, RunError, type RunFailure, type RunOptions, type RunResult } from './run.js';
import { describeStartFailure } from './start-failure.js';
import type { RingSlots } from './slots.js';

/** ring or its JVM can't be started: the operator's fault. The message is for the log. */
export class RingUnavailableError extends Error {}

/** ring ran and made nothing of the file. The message is for the log. */
export class UndecodableError extends Error {}

/** Where one decode's runs happen, and until when. */
export interface RingContext {
  launcher: string;
  /** Directory that holds the one licence. */
  licenses: string;
  /** Directory for the JVM's own temporary files. */
  tmp: string;
  signal: AbortSignal;
}

export interface RingOptions {
  command: string | undefined;
  language: 'ru' | 'en';
  timeoutMs: number;
  slots: RingSlots;
  tuning: JvmTuning;
  env: NodeJS.ProcessEnv;
  /** Told of each run. */
  onRun: (run: RunObservation) => void;
}

export interface Validation {
  /** The verdict's text. */
  text: string;
  /** Undefined where ring printed no such record, as it does without debug. */
  licenseHardware: string | undefined;
  machineHardware: string | undefined;
}

/** ring's licence commands, as CLI calls: one method a command. */
export class Ring {
  constructor(private readonly options: RingOptions) {}

  /**
   * Where ring's launcher is now.
   * @throws {RingUnavailableError} when there is none
   */
  async launcher(): Promise<string> {
    const launcher = await findRing(this.options.command, this.options.env);
    if (!launcher) throw new RingUnavailableError('no ring found: set RING_CMD or install ring');
    return launcher;
  }

  /**
   * `ring license list`: the licence in the directory.
   * @throws {UndecodableError} when ring names none
   */
  async list(context: RingContext): Promise<LicenseName> {
    const { exitCode, stdout } = await this.license('new', context, ['list']);
    const name = exitCode === 0 ? parseList(splitLogRecords(stdout).text) : undefined;
    if (!name) throw new UndecodableError(`license list named no licence (exit status ${exitCode})`);
    return name;
  }

  /**
   * `ring license info`: what the licence says.
   * @throws {UndecodableError} when ring can't tell
   */
  async info(context: RingContext, { name }: LicenseName): Promise<string> {
    const { exitCode, stdout } = await this.license('begun', context, ['info', '--name', name]);
    const { text } = splitLogRecords(stdout);
    if (exitCode !== 0 || text === '') {
      throw new UndecodableError(`license info gave no text (exit status ${exitCode})`);
    }
    return text;
  }

  /**
   * `ring license validate`: whether the licence fits this machine. An exit status other than 0 is a
   * verdict too: in a container the hardware nearly always differs.
   */
  async validate(context: RingContext, { name, pin }: LicenseName, debug: boolean): Promise<Validation> {
    const { stdout } = await this.license(
      'begun',
      context,
      ['validate', '--name', name],
      debug ? ['-l', 'debug'] : [],
    );
    const { text, records } = splitLogRecords(stdout);
    return {
      text,
      licenseHardware: licenseHardware(records, pin),
      machineHardware: machineHardware(records),
    };
  }

  private async license(
    stage: 'begun' | 'new',
    context: RingContext,
    command: readonly string[],
    options: readonly string[] = [],
  ): Promise<RunResult> {
    const { language, timeoutMs, slots, tuning, env } = this.options;
    const { launcher, licenses, tmp, signal } = context;
    // Without --send-statistics false ring phones home.
    const args = [...options, 'license', ...command, '--path', licenses, '--send-statistics', 'false'];
    const cwd = dirname(licenses);
    try {
      const result = await slots.use(stage, signal, () =>
        this.observed(command[0] ?? '', launcher, args, {
          cwd,
          env: ringEnvironment(env, { language, tmpDirectory: tmp, jvmOptions: tuning.jvmOptions }),
          timeoutMs,
          signal,
        }),
      );
      const failure = describeStartFailure(result);
      if (failure) throw new RingUnavailableError(failure);
      return result;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      if (error.reason === 'not_started' || error.reason === 'killed') {
        throw new RingUnavailableError(`ring ${error.message}`);
      }
      if (error.reason === 'flooded') throw new UndecodableError(`license ${command[0]} ${error.message}`);
      throw error;
    }
  }

  private async observed(
    command: string,
    launcher: string,
    args: readonly string[],
    options: RunOptions,
  ): Promise<RunResult> {
    const since = performance.now();
    const tell = (result: 'ok' | 'failed' | RunFailure) => {
      this.options.onRun({ command, result, seconds: (performance.now() - since) / 1000 });
    };
    try {
      const result = await run(launcher, args, options);
      tell(result.exitCode === 0 ? 'ok' : 'failed');
      return result;
    } catch (error) {
      if (error instanceof RunError) tell(error.reason);
      throw error;
    }
  }
}
