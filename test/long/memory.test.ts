import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { processesIn } from '../support/processes.js';
import { upload } from '../support/service.js';
import { spawnService } from '../support/spawned-service.js';
import { filesIn } from '../support/temp.js';
import { until } from '../support/until.js';

it.each<[string, string, Buffer, number]>([
  ['sixty uploads of 5 MB at once', 'echo 332588056123456-1', randomBytes(5_242_880), 200],
  ['rings that flood both their outputs', 'sleep 300 & yes >&2 & exec yes', Buffer.from('x'), 422],
])('%s keep memory under 350 MB and leave nothing open', async (_title, list, file, status) => {
  const service = await spawnService({
    RING_CMD: { list },
    RING_CONCURRENCY: '8',
    RING_QUEUE_LIMIT: '200',
    DECODE_TIMEOUT_MS: '120000',
  });
  await upload(service, Buffer.from('x'));
  const openFiles = service.openFiles();
  const answers = await Promise.all(Array.from({ length: 60 }, () => upload(service, file)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(60).fill(status));
  expect(service.peakMemory()).toBeLessThan(350e6);
  await until(() => processesIn(service.tmpBase).length === 0);
  expect(filesIn(service)).toEqual([]);
  await until(() => service.openFiles() <= openFiles);
});

/** As many bytes as are read, and more. */
const MOST = 249_000;
const MORE = 1_990_000;
const words = (bytes: number) =>
  `printf '[ERROR ] '; yes 'a b c d' | tr '\\n' ' ' | head -c ${bytes}; exit 1`;

it.each([
  ['words of the launcher', words(MOST)],
  ['more of them', words(MORE)],
  ['lines that are not UTF-8', `yes "$(printf '\\310')" | head -c ${MOST}; exit 1`],
])('four floods of %s in a row leave the service alive with 128 MB of heap', async (_title, list) => {
  const service = await spawnService({ RING_CMD: { list } });
  for (let n = 0; n < 4; n++) expect((await upload(service)).status).toBe(422);
  expect(filesIn(service)).toEqual([]);
});
