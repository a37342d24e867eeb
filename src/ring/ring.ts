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
import type { InstallationMonitor } from './installation/monitor.js';
import type { LicenseName } from './output/license-name.js';
import type { Output } from './output/log-records.js';
import { redactSentence } from './output/redact.js';
import { RingError, type RingFailure } from './ring-error.js';
import { run, START_TIMEOUT_MS } from './run.js';
import type { RingSlots } from './slots.js';

/** For log lines about output that was not understood. */
export const DOCTOR_HINT = 'npm run doctor (in the image: doctor) tells what is understood';

/** Where one decode runs ring, for whom, and until when. */
export interface RingContext {
  /** Directory with the one license; its parent is for what the JVM unpacks. */
  licenses: string;
  /** Whose decode it is, see {@link RingSlots}. */
  client: string;
  /** Fingerprint of the file's bytes. It tells distinct files apart and is never logged. */
  fingerprint: string;
  signal: AbortSignal;
}

/** A finished run: the command without its arguments, and how it ended; `failed` is an exit status other than 0. */
export interface RunObservation {
  command: string;
  result: 'ok' | 'failed' | RingFailure;
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

/** Failures after which ring, or its module, may be gone. */
const RECHECKED: RingFailure[] = ['not_started', 'killed', 'timed_out'];

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
    const words = `license list named no license (${describe(output)})`;
    if (!monitor.isInstalled) {
      throw new RingError('not_started', `${words}, and the last poll found no ring that can decode`);
    }
    throw undecodable(words, output);
  }

  /** `ring license info`: what the license says. */
  async info(context: RingContext, { name: license }: LicenseName): Promise<string> {
    const output = await this.command(context, { name: 'info', license });
    const text = readInfoText(output);
    if (text !== undefined) return text;
    throw undecodable(`license info gave no text (${describe(output)})`, output);
  }

  /** `ring license validate`: whether the license fits this machine. In a container it nearly never does: no error. */
  async validate(context: RingContext, license: LicenseName, debug: boolean): Promise<Validation> {
    const output = await this.command(context, { name: 'validate', license: license.name, debug });
    return readValidation(output, license.pin);
  }

  /** To be called after a decode whose commands have all worked. */
  decodeWorked(): void {
    this.options.monitor.decodeWorked();
  }

  /** Runs a command in a slot. Returns what the license module itself has said, whatever the exit status. */
  private async command(context: RingContext, command: Command): Promise<Output> {
    const { monitor, slots } = this.options;
    const { client, signal } = context;
    const priority = command.name === 'list' ? 'normal' : 'high';
    const asked = performance.now();
    try {
      return await slots.use({ priority, client, signal }, () => this.answer(context, command, asked));
    } catch (error) {
      if (!(error instanceof RingError)) throw error;
      if (RECHECKED.includes(error.reason)) monitor.recheck();
      throw new RingError(error.reason, `license ${command.name}: ${error.message}`);
    }
  }

  /** @param asked when the command began to wait for its slot */
  private async answer(context: RingContext, command: Command, asked: number): Promise<Output> {
    const { licenses, client, fingerprint, signal } = context;
    const { monitor, timeoutMs, onRun } = this.options;
    const ring = await monitor.ringToRun(signal);
    if (!ring) throw new RingError('not_started', 'no ring found: set RING_CMD or install ring');
    const started = performance.now();
    const args = argumentsOf(command, ring.module, licenses);
    const ended = run(args, { ...ring, directory: dirname(licenses), timeoutMs, signal });
    const result = await ended.then(
      ({ exitCode }) => (exitCode === 0 ? 'ok' : 'failed'),
      (error: unknown) => (error as RingError).reason,
    );
    const seconds = (performance.now() - started) / 1000;
    onRun({ command: command.name, result, waited: (started - asked) / 1000, seconds });
    const output = outputOf(await ended);
    const failure = failureOf(output);
    if (!failure) return output;
    if (failure.isInstallationFault) monitor.decodeFailed({ client, fingerprint }, failure.words);
    if (failure.kind === 'not_started') throw new RingError('not_started', failure.words);
    // Ring's fault or the file's? Ring may have been replaced since the last poll. Without an answer it is ring's.
    const asking = problemOf(ring.module, { ...ring, timeoutMs: START_TIMEOUT_MS, signal });
    const isRings = await asking.catch(() => true);
    if (signal.aborted) throw new RingError('aborted', 'aborted while ring was asked for its module');
    throw new RingError(isRings ? 'not_started' : 'undecodable', `the launcher refused: ${failure.words}`);
  }
}

/** How a run ended, and what may be shown of what ring has said. */
function describe({ exitCode, text }: Output): string {
  const status = `exit status ${exitCode}`;
  return text === '' ? status : `${status}: ${redactSentence(text)}`;
}

function isSilent({ text, records, stderr }: Output): boolean {
  return text === '' && records.length === 0 && stderr === '';
}

function undecodable(words: string, output: Output): RingError {
  if (isDirectoryFault(output)) return new RingError('not_started', words);
  return new RingError('undecodable', `${words}; if every file fails, ${DOCTOR_HINT}`);
}
