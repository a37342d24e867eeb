import { tmpdir } from 'node:os';
import { z } from 'zod';
import type { Logger } from '../logger.js';
import { ringEnvironment } from '../ring/environment.js';
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
  env: NodeJS.ProcessEnv;
  log: Logger;
}

/** Milliseconds a version may take: a JVM's start on a machine that is very busy. */
const PROBE_TIMEOUT_MS = 20_000;

const ABSENT: Tool = { installed: false, version: '', valid: false };

/**
 * Knows whether the JRE and ring are there and new enough. Looks once at the start and then in the
 * background, so that a probe costs no JVM and a tool that is installed later is seen.
 */
export class Readiness {
  private known: Status | undefined;
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
    const [jre, ring] = await Promise.all([this.lookForJre(), this.lookForRing()]);
    const status = { jre, ring, ready: jre.valid && ring.valid };
    if (JSON.stringify(status) !== JSON.stringify(this.known)) {
      if (status.ready) this.options.log.info(status, 'ready to decode');
      else this.options.log.warn(status, 'not ready to decode: the JRE or ring is missing or too old');
    }
    this.known = status;
    return status;
  }

  private async lookForJre(): Promise<Tool> {
    const java = await findJava(this.options.env);
    return this.probe(java, ['-version'], parseJavaVersion, isValidJre, this.known?.jre);
  }

  private async lookForRing(): Promise<Tool> {
    const ring = await findRing(this.options.ringCommand, this.options.env);
    return this.probe(ring, ['--version'], parseRingVersion, isValidRing, this.known?.ring);
  }

  private async probe(
    file: string | undefined,
    args: string[],
    parse: (output: string) => Version | undefined,
    isValid: (version: Version) => boolean,
    last: Tool | undefined,
  ): Promise<Tool> {
    if (!file) return ABSENT;
    const { env, language } = this.options;
    try {
      const { stdout, stderr } = await run(file, args, {
        cwd: tmpdir(),
        env: ringEnvironment(env, { language }),
        timeoutMs: PROBE_TIMEOUT_MS,
      });
      const version = parse(stdout) ?? parse(stderr);
      return version ? { installed: true, version: version.text, valid: isValid(version) } : ABSENT;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      // A machine too busy to start a JVM in time has not lost its JRE.
      return error.reason === 'timed_out' && last ? last : ABSENT;
    }
  }
}
