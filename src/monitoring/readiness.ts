import { z } from 'zod';
import type { Logger } from 'pino';
import { version as serviceVersion } from '../config/settings.js';
import {
  canDecode,
  findInstallation,
  type Installation,
  type InstallationOptions,
  type Tool,
} from '../ring/installation/installation.js';
import type { JvmTuning } from '../ring/jvm/tuning.js';
import type { LicenseModule } from '../ring/installation/license-module.js';
import { MIN_JRE, MIN_RING } from '../ring/installation/versions.js';

const toolSchema = (minimum: string) =>
  z.strictObject({
    installed: z.boolean().meta({ description: 'Whether it starts and tells its version', example: true }),
    version: z.string().meta({
      description: 'As the tool prints it; empty when it is not installed',
      example: minimum,
    }),
    valid: z.boolean().meta({ description: `True from version ${minimum} on`, example: true }),
  });

/** What `GET /api/status` answers. */
export const statusSchema = z
  .strictObject({
    jre: toolSchema(MIN_JRE.text).meta({ description: 'The Java runtime that ring uses' }),
    ring: toolSchema(MIN_RING.text).meta({ description: 'ring itself' }),
    ready: z.boolean().meta({
      description:
        'True when decodes can be expected to work: both are valid, and ring has its license module',
      example: true,
    }),
  })
  .meta({ id: 'Status' });

export type Status = z.output<typeof statusSchema>;

export interface ReadinessOptions extends InstallationOptions {
  /** Seconds between two polls. */
  ttlSeconds: number;
  /** Is prepared for what each poll finds. */
  tuning: JvmTuning;
  log: Logger;
}

/**
 * Knows whether the JRE and ring are installed and can decode. Polls them in the background, so that a health check
 * starts no JVM and a tool that is installed later is noticed.
 */
export class Readiness {
  private installation: Installation | undefined;
  private polling: Promise<void> | undefined;
  private logged = '';
  private readonly stopped = new AbortController();

  constructor(private readonly options: ReadinessOptions) {}

  /** Polls now and then every `ttlSeconds`. */
  start(): void {
    if (this.stopped.signal.aborted) return;
    void this.poll().then(() => setTimeout(() => this.start(), this.options.ttlSeconds * 1000).unref());
  }

  /** Ends readiness, polling and tuning for good, with the runs in progress. */
  stop(): void {
    this.stopped.abort();
  }

  /** True when the last poll found everything, until the service stops. */
  get ready(): boolean {
    return this.installation !== undefined && canDecode(this.installation) && !this.stopped.signal.aborted;
  }

  /** The last known status; waits only for the very first poll. */
  async status(): Promise<Status> {
    if (!this.installation) await this.poll();
    const { jre, ring } = this.installation ?? {};
    return { jre: statusOf(jre), ring: statusOf(ring), ready: this.ready };
  }

  /** The license module as the last poll found it; waits only for the very first poll. */
  async module(): Promise<LicenseModule | undefined> {
    if (!this.installation) await this.poll();
    return this.installation?.module;
  }

  /** Asks for the module once more, unless it has a known problem: ring may have been replaced. */
  async checkModule(): Promise<LicenseModule | undefined> {
    await this.polling;
    if (this.installation && canDecode(this.installation)) {
      await this.poll({ ...this.installation, module: undefined });
    }
    return this.installation?.module;
  }

  /** @param last the previous result; without its module, the module is asked for again */
  private poll(last = this.installation): Promise<void> {
    this.polling ??= this.find(last).finally(() => (this.polling = undefined));
    return this.polling;
  }

  private async find(last: Installation | undefined): Promise<void> {
    const { signal } = this.stopped;
    const installation = await findInstallation({ ...this.options, signal }, last);
    if (signal.aborted) return;
    this.installation = installation;
    this.logChange(installation);
    if (this.ready) void this.options.tuning.prepare(installation, signal);
  }

  private logChange({ jre, ring, module }: Installation): void {
    const fields = {
      service: serviceVersion,
      node: process.versions.node,
      jre: describe(jre),
      ring: { ...describe(ring), ...(!ring.path && { command: this.options.command ?? 'ring' }) },
      module: module && { name: module.name, version: module.version, problem: module.problem },
      tuning: this.options.tuning.enabled,
    };
    const text = JSON.stringify(fields);
    if (text === this.logged) return;
    this.logged = text;
    const reason =
      module?.problem === undefined
        ? 'the JRE or ring is missing, broken or too old'
        : 'ring refuses its license module; install license-tools, or set RING_MODULE';
    if (this.ready) this.options.log.info(fields, 'ready to decode');
    else this.options.log.warn(fields, `not ready to decode: ${reason}`);
  }
}

const describe = ({ version, path, problem }: Tool) => ({ version: version?.text, path, problem });

const statusOf = (tool: Tool | undefined): Status['jre'] => ({
  installed: tool?.version !== undefined,
  version: tool?.version?.text ?? '',
  valid: tool?.isSupported ?? false,
});
