import { z } from 'zod';
import type { Logger } from 'pino';
import type { RingLanguage } from '../ring/environment.js';
import { probeInstalled, type Installed } from '../ring/installed-versions.js';
import type { Installation } from '../ring/jvm/tuning.js';
import { isSupportedJre, isSupportedRing, MIN_JRE, MIN_RING, type Version } from '../ring/versions.js';

const toolSchema = (minimum: string) =>
  z.strictObject({
    installed: z.boolean(),
    version: z.string().meta({ description: 'As the tool prints it; empty when it is not installed' }),
    valid: z.boolean().meta({ description: `True from version ${minimum} on` }),
  });

/** What `GET /api/status` answers. */
export const statusSchema = z.strictObject({
  jre: toolSchema(MIN_JRE),
  ring: toolSchema(MIN_RING),
  ready: z.boolean().meta({ description: 'True when decodes can be expected to work' }),
});

export type Status = z.output<typeof statusSchema>;

export interface ReadinessOptions {
  ringCommand: string | undefined;
  language: RingLanguage;
  /** Seconds between two polls. */
  ttlSeconds: number;
  /** Called after each poll that found everything. */
  onReady: (found: Installation) => void;
  env: NodeJS.ProcessEnv;
  log: Logger;
}

/**
 * Knows whether the JRE and ring are installed and new enough. Polls them in the background, so that a health check
 * starts no JVM and a tool that is installed later is noticed.
 */
export class Readiness {
  private known: Status | undefined;
  private logged = '';
  private installed: Installed | undefined;
  private polling: Promise<Status> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ReadinessOptions) {}

  /** Polls now and then every `ttlSeconds`. */
  start(): void {
    void this.poll().finally(() => {
      this.timer = setTimeout(() => this.start(), this.options.ttlSeconds * 1000).unref();
    });
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** True when the last poll found everything. */
  get ready(): boolean {
    return this.known?.ready ?? false;
  }

  /** The last known status; waits only for the very first poll. */
  async status(): Promise<Status> {
    return this.known ?? this.poll();
  }

  private poll(): Promise<Status> {
    this.polling ??= this.probe().finally(() => (this.polling = undefined));
    return this.polling;
  }

  private async probe(): Promise<Status> {
    const { ringCommand: command, language, env, onReady } = this.options;
    this.installed = await probeInstalled({ command, language, env }, this.installed);
    const { jre, ring } = this.installed;
    const status = {
      jre: toolOf(jre.version, isSupportedJre),
      ring: toolOf(ring.version, isSupportedRing),
      ready: false,
    };
    status.ready = status.jre.valid && status.ring.valid;
    this.logChange(status, this.installed);
    this.known = status;
    if (status.ready && jre.version && ring.version && ring.path) {
      onReady({ jre: jre.version, launcher: ring.path, ringVersion: ring.version.text });
    }
    return status;
  }

  private logChange(status: Status, { jre, ring }: Installed): void {
    const problems = {
      ...(jre.problem !== undefined && { jreProblem: jre.problem, jrePath: jre.path ?? 'java' }),
      ...(ring.problem !== undefined && {
        ringProblem: ring.problem,
        ringPath: ring.path ?? this.options.ringCommand ?? 'ring',
      }),
    };
    const fields = { ...status, ...problems };
    const text = JSON.stringify(fields);
    if (text === this.logged) return;
    this.logged = text;
    if (status.ready) this.options.log.info(fields, 'ready to decode');
    else this.options.log.warn(fields, 'not ready to decode: the JRE or ring is missing, broken or too old');
  }
}

function toolOf(version: Version | undefined, isSupported: (version: Version) => boolean): Status['jre'] {
  return version
    ? { installed: true, version: version.text, valid: isSupported(version) }
    : { installed: false, version: '', valid: false };
}
