import { z } from 'zod';
import type { Logger } from 'pino';
import { version as serviceVersion } from '../config/settings.js';
import { canDecode, type Installation, type Tool } from '../ring/installation/installation.js';
import type { InstallationMonitor } from '../ring/installation/monitor.js';
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
        'True when decodes can be expected to work: both are valid, and the license module of ring has answered',
      example: true,
    }),
  })
  .meta({ id: 'Status' });

export type Status = z.output<typeof statusSchema>;

/** Milliseconds for which a status waits for the first poll: less than the time-outs of load balancers. */
const MAX_WAIT_MS = 1_500;

export async function statusOf(monitor: InstallationMonitor): Promise<Status> {
  await monitor.firstPoll(AbortSignal.timeout(MAX_WAIT_MS));
  const { jre, ring } = monitor.last ?? {};
  return { jre: toolStatus(jre), ring: toolStatus(ring), ready: monitor.ready };
}

const toolStatus = (tool: Tool | undefined): Status['jre'] => ({
  installed: tool?.version !== undefined,
  version: tool?.version?.text ?? '',
  valid: tool?.isSupported ?? false,
});

/** Milliseconds until the reason is logged again while the service is not ready. */
const REPEAT_MS = 600_000;

/**
 * Logs what a poll found, when it differs from the last one, and from time to time while it is not ready.
 * @param command RING_CMD, which is named when there is no ring
 * @param tuning whether JVM tuning is on
 */
export function installationLog(log: Logger, command = 'ring', tuning: boolean) {
  let logged = '';
  let loggedAt = 0;
  return (installation: Installation): void => {
    const { jre, ring, module } = installation;
    const fields = {
      service: serviceVersion,
      node: process.versions.node,
      jre: describe(jre),
      ring: { ...describe(ring), ...(!ring.path && { command }) },
      module: module && { name: module.name, version: module.version, problem: module.problem?.words },
      tuning,
    };
    const text = JSON.stringify(fields);
    const isReady = canDecode(installation);
    const isRepeated = !isReady && performance.now() - loggedAt >= REPEAT_MS;
    if (text === logged && !isRepeated) return;
    logged = text;
    loggedAt = performance.now();
    const problem = jre.isSupported && ring.isSupported ? module?.problem : undefined;
    if (isReady) log.info(fields, 'ready to decode');
    else log.warn(fields, `not ready to decode: ${REASONS[problem?.kind ?? 'tools']}`);
  };
}

const REASONS = {
  tools: 'the JRE or ring is missing, broken or too old',
  refused: 'ring refuses its license module; install license-tools, or set RING_MODULE',
  not_started: 'ring cannot start its license module; its problem says why',
  no_answer: 'the license module of ring does not answer; its problem says how long it was waited for',
};

const describe = ({ version, path, problem }: Tool) => ({ version: version?.text, path, problem });
