import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { decodeRequest, LICENSE_PART, multipart, openConnection } from '../support/raw-http.js';
import { spawnService } from '../support/spawned-service.js';
import { expectNothingLeft, tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

it('sixty clients that go away at different moments leave no file, no process and no descriptor', async () => {
  const service = await spawnService({
    RING_CMD: { list: 'sleep 0.1; echo 332588056123456-1' },
    RING_QUEUE_LIMIT: '120',
  });
  // The first poll of the JRE and ring is over.
  await until(() => service.log.some((line) => 'jre' in line));
  const openFiles = service.openFiles();
  const request = decodeRequest(multipart([{ ...LICENSE_PART, content: randomBytes(3_000_000) }]));
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const socket = openConnection(service.port, request);
      await sleep(i * 15);
      socket.destroy();
    }),
  );
  await expectNothingLeft(service);
  await until(() => service.openFiles() <= openFiles);
});

it.each<[string, Record<string, string>, number, string]>([
  ['429, 5 MB', { RATE_LIMIT_MAX: '0' }, 5_242_880, 'rate_limited'],
  ['413, 15 MB', {}, 15_000_000, 'file_too_large'],
])(
  'curl shows a refusal before it has sent the file: %s',
  { tags: 'curl' },
  async (_title, settings, size, error) => {
    const service = await spawnService(settings);
    const file = join(await tempDirectory(), 'a.lic');
    await writeFile(file, randomBytes(size));
    for (const header of ['Expect: 100-continue', 'Expect:', 'Transfer-Encoding: chunked']) {
      const fixed = ['-s', '--noproxy', '*', '-F', `license=@${file}`];
      const curl = spawn('curl', [...fixed, '-H', header, `${service.url}/api/decode`]);
      let body = '';
      curl.stdout.on('data', (data: Buffer) => (body += data.toString()));
      expect(await once(curl, 'close'), header).toEqual([0, null]);
      expect(JSON.parse(body), header).toMatchObject({ error });
    }
  },
);
