import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Response } from 'supertest';
import { expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { fakeRing, print } from '../support/fake-ring.js';
import { openConnection, responsesOn, unfinishedUpload } from '../support/raw-http.js';
import { startTestService, upload, type TestService } from '../support/service.js';
import type { TestSettings } from '../support/settings.js';
import { until } from '../support/until.js';

/**
 * Starts a service whose ring waits until the gate is opened, and writes down when its runs begin and end; of a list also
 * the text of the license.
 */
async function startGated(settings: TestSettings) {
  const step = (name: string, then: string) =>
    `echo "begin ${name}" >>"$0.journal"; while [ ! -e "$0.gate" ] && kill -0 $PPID; do sleep 0.02; done; ` +
    `sleep 0.02; echo "end ${name}" >>"$0.journal"; ${then}`;
  const ring = await fakeRing({
    list: step('list $(cat "$4"/*)', print('list-one-ru.txt')),
    info: step('info', print('info-one-ru.txt')),
    validate: step('validate', print('validate-mismatch-ru.txt', 1)),
  });
  const service = await startTestService({ RING_CMD: ring, ...settings });
  const journal = `${ring}.journal`;
  return {
    service,
    open: () => writeFileSync(`${ring}.gate`, ''),
    journal: () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []),
  };
}

/**
 * Starts a decode request whose file does not end.
 * @returns the answer, or undefined when the service began to store the file
 */
async function beginUpload(service: TestService, ...headers: string[]) {
  const before = service.files().length;
  const socket = openConnection(service.port, unfinishedUpload(...headers));
  const responses = responsesOn(socket);
  const answer = () => responses()[0];
  await until(() => answer() !== undefined || service.files().length > before);
  return { socket, answer: answer() };
}

it.each([1, 3])(
  'RING_CONCURRENCY=%i bounds the processes of ring that run at once, and clients take turns',
  async (most) => {
    const { service, open, journal } = await startGated({ RING_CONCURRENCY: String(most) });
    const decodes = [];
    for (const [i, name] of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1'].entries()) {
      const client = `203.0.113.${name.charCodeAt(0)}`;
      const request = upload(service, Buffer.from(name)).set('X-Forwarded-For', client);
      decodes.push(request.then(({ status }) => status));
      await until(() => service.decoding() === i + 1);
    }
    await until(() => journal().length === most);
    open();
    expect(await Promise.all(decodes)).toEqual(Array(7).fill(200));
    let running = 0;
    const counts = journal().map((event) => (running += event.startsWith('begin') ? 1 : -1));
    expect([running, Math.max(...counts)]).toEqual([0, most]);
    const order = journal().flatMap((event) => /^begin list (\w+)/.exec(event)?.[1] ?? []);
    expect(order).toHaveLength(7);
    // Processes that run side by side note their begin in any order.
    if (most === 1) expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a5'));
  },
);

it('a full queue, uploads in progress included, is answered 503 before the body is read, without cost', async () => {
  const full = { RING_CONCURRENCY: '1', RING_QUEUE_LIMIT: '3', RATE_LIMIT_MAX: '5' };
  const { service, open } = await startGated(full);
  const decodes = Promise.all(Array.from({ length: 3 }, () => upload(service)));
  await until(() => service.decoding() === 3);
  const { socket } = await beginUpload(service);
  for (let i = 0; i < 6; i++) {
    const { answer } = await beginUpload(service);
    expectError(answer, 'queue_full');
    expect(answer?.headers).toMatchObject({ 'retry-after': '5' });
  }
  socket.destroy();
  open();
  let next: Response | undefined;
  await until(async () => (next = await upload(service)).status === 200);
  expect(next?.headers).toMatchObject({ 'x-ratelimit-remaining': '0' });
  expect((await decodes).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(service.files()).toEqual([]);
});
