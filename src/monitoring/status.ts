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

/** The answer of `GET /api/status`. */
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

/** The status as of the last poll. Right after the start it waits a moment for the first one. */
export async function statusOf(monitor: InstallationMonitor): Promise<Status> {
  // After the first poll there is nothing to wait for, so a status does not need a timer.
  if (!monitor.isPolled) await monitor.firstPoll(AbortSignal.timeout(MAX_WAIT_MS));

  const { last, ready } = monitor;
  const jre = toolStatus(last?.jre);
  const ring = toolStatus(last?.ring);
  return { jre, ring, ready };
}

function toolStatus(tool: Tool | undefined): Status['jre'] {
  const version = tool?.version;
  return {
    installed: version !== undefined,
    version: version?.text ?? '',
    valid: tool?.isSupported ?? false,
  };
}

/** Milliseconds until the reason is logged again while the service is not ready. */
const REPEAT_MS = 600_000;

/** Why the service is not ready: because of Java or ring, or of a problem of the license module. */
const REASONS = {
  tools: 'the JRE or ring is missing, broken or too old',
  refused: 'ring refuses its license module; install license-tools, or set or correct RING_MODULE',
  not_started: 'ring cannot start its license module; its problem says why',
  no_answer: 'the license module of ring does not answer; its problem says why',
};

/**
 * Logs the result of a poll if it differs from the last one in the log, and from time to time while the service is not
 * ready.
 * @param command RING_CMD, which is named when there is no ring
 */
export function installationLog(log: Logger, command: string | undefined) {
  let logged = '';
  let loggedAt = 0;

  return (installation: Installation): void => {
    const fields = fieldsOf(installation, command);
    const text = JSON.stringify(fields);
    const isReady = canDecode(installation);
    const isDue = !isReady && performance.now() - loggedAt >= REPEAT_MS;
    if (text === logged && !isDue) return;

    logged = text;
    loggedAt = performance.now();
    if (isReady) log.info(fields, 'ready to decode');
    else log.warn(fields, `not ready to decode: ${reasonFor(installation)}`);
  };
}

function fieldsOf({ jre, ring, module, jvmOptions }: Installation, command = 'ring') {
  const ringFields = toolFields(ring);
  return {
    service: serviceVersion,
    node: process.versions.node,
    jre: toolFields(jre),
    ring: ring.path ? ringFields : { ...ringFields, command },
    module: module && { name: module.name, problem: module.problem?.message },
    jvmOptions: jvmOptions.join(' '),
  };
}

const toolFields = ({ version, path, problem }: Tool) => ({ version: version?.text, path, problem });

function reasonFor({ jre, ring, module }: Installation): string {
  // Without the tools, the module cannot answer either.
  const hasTools = jre.isSupported && ring.isSupported;
  if (!hasTools || !module?.problem) return REASONS.tools;

  const { reason, hasNoAnswer } = module.problem;
  if (hasNoAnswer) return REASONS.no_answer;
  return reason === 'refused' ? REASONS.refused : REASONS.not_started;
}
