import { tmpdir } from 'node:os';
import { z } from 'zod';
import type { Logger } from '../logger.js';
import { ringEnvironment } from '../ring/environment.js';
import type { Installation } from '../ring/jvm-tuning.js';
import { findJava, findRing } from '../ring/launcher.js';
import { run, RunError } from '../ring/run.js';
import {
  isValidJre,
  isValidRing,
  parseJavaVersion,
  parseRingVersion,
  type Version,
} from '../ring/versions.js';

const toolSchema = (minimum: string) =>
  z.strictObject({
    installed: z.boolean(),
    version: z.string().meta({ description: 'As the tool prints it; empty when it is not installed' }),
    valid: z.boolean().meta({ description: `True from version ${minimum} on` }),
  });

/** What `GET /api/status` answers. */
export const statusSchema = z.strictObject({
  jre: toolSchema('1.8.0_161'),
  ring: toolSchema('0.11.5-3'),
  ready: z.boolean().meta({ description: 'True when a decode can be expected to work' }),
});

export type Status = z.output<typeof statusSchema>;
type Tool = Status['jre'];

export interface ReadinessOptions {
  ringCommand: string | undefined;
  language: 'ru' | 'en';
  /** Seconds between two looks. */
  ttlSeconds: number;
  /** Told what was found, when all of it was, after each look. */
  onReady: (found: Installation) => void;
  env: NodeJS.ProcessEnv;
  log: Logger;
}

/** Milliseconds a version may take: a JVM's start on a machine that is very busy. */
const PROBE_TIMEOUT_MS = 20_000;

/**
 * Knows whether the JRE and ring are there and new enough. Looks once at the start and then in the
 * background, so that a probe costs no JVM and a tool that is installed later is seen.
 */
export class Readiness {
  private known: Status | undefined;
  private versions: { jre?: Version | undefined; ring?: Version | undefined } = {};
  private refreshing: Promise<Status> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ReadinessOptions) {}

  /** Looks for the first time and from then on again, each time the last look is long enough ago. */
  start(): void {
    const again = () => {
      this.timer = setTimeout(look, this.options.ttlSeconds * 1000).unref();
    };
    const look = () => void this.refresh().finally(again);
    look();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** True when the last look found all. */
  get ready(): boolean {
    return this.known?.ready ?? false;
  }

  /** The last look's result, from memory; only before the first has ended it is waited for. */
  async status(): Promise<Status> {
    return this.known ?? this.refresh();
  }

  private refresh(): Promise<Status> {
    this.refreshing ??= this.look().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async look(): Promise<Status> {
    const { env, ringCommand, log, onReady } = this.options;
    const [java, launcher] = await Promise.all([findJava(env), findRing(ringCommand, env)]);
    const [jre, ring] = await Promise.all([
      this.probe(java, ['-version'], parseJavaVersion, this.versions.jre),
      this.probe(launcher, ['--version'], parseRingVersion, this.versions.ring),
    ]);
    this.versions = { jre, ring };
    const status = { jre: toolOf(jre, isValidJre), ring: toolOf(ring, isValidRing), ready: false };
    status.ready = status.jre.valid && status.ring.valid;
    if (JSON.stringify(status) !== JSON.stringify(this.known)) {
      if (status.ready) log.info(status, 'ready to decode');
      else log.warn(status, 'not ready to decode: the JRE or ring is missing or too old');
    }
    this.known = status;
    if (status.ready && jre && ring && launcher) onReady({ jre, launcher, ringVersion: ring.text });
    return status;
  }

  /** The version that a program prints, or undefined when it is not there or does not run. */
  private async probe(
    file: string | undefined,
    args: string[],
    parse: (output: string) => Version | undefined,
    last: Version | undefined,
  ): Promise<Version | undefined> {
    if (!file) return undefined;
    const { env, language } = this.options;
    try {
      const { stdout, stderr } = await run(file, args, {
        cwd: tmpdir(),
        env: ringEnvironment(env, { language }),
        timeoutMs: PROBE_TIMEOUT_MS,
      });
      return parse(stdout) ?? parse(stderr);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      // A machine too busy to start a JVM in time has not lost its JRE.
      return error.reason === 'timed_out' ? last : undefined;
    }
  }
}

function toolOf(version: Version | undefined, isValid: (version: Version) => boolean): Tool {
  return version
    ? { installed: true, version: version.text, valid: isValid(version) }
    : { installed: false, version: '', valid: false };
}
