import type { Logger } from 'pino';
import { version as serviceVersion } from '../config/settings.js';
import type { Tool } from '../ring/installation/installation.js';
import { canDecode, type PollResult } from '../ring/installation/poll-result.js';

const NOT_READY =
  'not ready to decode: look up the problem of jre, ring, module or storage in docs/trouble.md#not-ready';
const NO_ANSWER =
  'a poll got no answer, or could not write a file: after two more such polls the service is not ready';

/**
 * Logs the result of a poll if it differs from the last one. Of several polls in a row that got no answer and change
 * nothing, the first is logged.
 * @param command RING_CMD, which is named when there is no ring
 */
export function pollLog(log: Logger, command: string | undefined) {
  let logged = '';
  let wasIgnored = false;

  return (result: PollResult, found: PollResult): void => {
    const isIgnored = found !== result;
    if (isIgnored && !wasIgnored) log.warn(fieldsOf(found, command), NO_ANSWER);
    wasIgnored = isIgnored;

    const fields = fieldsOf(result, command);
    const text = JSON.stringify(fields);
    if (text === logged) return;

    logged = text;
    if (canDecode(result)) log.info(fields, 'ready to decode');
    else log.warn(fields, NOT_READY);
  };
}

function fieldsOf({ jre, ring, module, jvmOptions, storageProblem }: PollResult, command = 'ring') {
  const ringFields = toolFields(ring);
  return {
    service: serviceVersion,
    node: process.versions.node,
    jre: toolFields(jre),
    ring: ring.path ? ringFields : { ...ringFields, command },
    module: module && { name: module.name, problem: module.problem?.message },
    jvmOptions: jvmOptions.join(' '),
    storage: { problem: storageProblem },
  };
}

const toolFields = ({ version, path, problem }: Tool) => ({
  version: version?.text,
  path,
  problem: problem?.message,
});
