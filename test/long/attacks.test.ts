import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import { fakeRing, print } from '../support/fake-ring.js';
import { processesIn } from '../support/processes.js';
import { openConnection } from '../support/raw-http.js';
import { upload } from '../support/service.js';
import { spawnService } from '../support/spawned-service.js';
import { eventually, tempDirectory } from '../support/temp.js';

/** What each of the attacker's connections sends; it reads nothing. */
type Attack = (bundle: string) => { bytes: string; connections: number; metrics?: true };

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function waitUntil(condition: () => boolean): Promise<void> {
  expect(await eventually(condition, 120_000)).toBe(true);
}

it.each<[string, Attack]>([
  [
    'thousands of pipelined requests',
    (bundle) => ({ bytes: bundle.repeat(4) + request('/healthz').repeat(2400), connections: 6 }),
  ],
  [
    'thousands of pipelined requests to METRICS_PORT',
    () => ({ bytes: request('/metrics').repeat(1600), connections: 3, metrics: true }),
  ],
  ['large answers that are not read', (bundle) => ({ bytes: bundle.repeat(6), connections: 60 })],
])('%s: connections are closed, the decode of another client is answered', async (_title, attack) => {
  const done = join(await tempDirectory(), 'done');
  const list = `while [ ! -e '${done}' ]; do sleep 0.05; done; ${print('list-one-ru.txt')}`;
  const service = await spawnService({
    RING_CMD: await fakeRing({ list }),
    METRICS_PORT: '0',
    UPLOAD_TIMEOUT_MS: '10000',
    RING_TIMEOUT_MS: '7000',
    DECODE_TIMEOUT_MS: '14000',
  });
  const { text } = await supertest(service.url).get('/docs').expect(200);
  const bundle = /[^"]*swagger-ui-bundle\.js[^"]*/.exec(text)?.[0] ?? '';
  await supertest(service.url).get(bundle).expect(200);
  // The first poll of the JRE and ring is over.
  await waitUntil(() => service.log.some((line) => 'jre' in line));
  const openFiles = service.openFiles();
  const decode = upload(service).then(({ status }) => status);
  await waitUntil(() => processesIn(service.tmpBase).length > 0);

  const { bytes, connections, metrics } = attack(request(bundle));
  const port = metrics ? service.metricsPort : service.port;
  for (let i = 0; i < connections; i++) {
    const socket = openConnection(port, bytes).pause();
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
  }
  // Accepted after them.
  await supertest(`http://127.0.0.1:${port}`).get('/metrics');
  await writeFile(done, '');
  expect(await decode).toBe(200);
  await waitUntil(() => service.openFiles() <= openFiles);
  await supertest(service.url).get('/healthz').expect(200);
});
