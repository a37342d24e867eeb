import { z } from 'zod';
import type { Tool } from '../ring/installation/installation.js';
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
        'True when decodes can be expected to work: both are valid, the license module of ring has answered, and ' +
        'temporary files can be written',
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
