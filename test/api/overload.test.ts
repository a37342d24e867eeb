import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { fakeRing, transcriptPath } from '../support/fake-ring.js';
import { openConnection, responsesOn, unfinishedUpload } from '../support/raw-http.js';
import { startTestService, upload, type TestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const SECRET = 'a secret for tests that is longer than 32 bytes';
const bearer = (sub: string) => `Authorization: Bearer ${jwt.sign({ sub }, SECRET)}`;

/** A ring whose lists wait until the gate is opened, and that writes down when its runs begin and end. */
async function gatedRing() {
  const directory = await tempDirectory();
  const [gate, journal] = [join(directory, 'gate'), join(directory, 'journal')];
  const step = (name: string, transcript: string, exitCode = 0) =>
    `echo "begin ${name}" >>'${journal}'; while [ ! -e '${gate}' ] && kill -0 $PPID; do sleep 0.02; done; sleep 0.02; ` +
    `echo "end ${name}" >>'${journal}'; cat '${transcriptPath(transcript)}'; exit ${exitCode}`;
  return {
    command: await fakeRing({
      list: step('list $(cat "$4"/*)', 'list-one-ru.txt'),
      info: step('info', 'info-one-ru.txt'),
      validate: step('validate', 'validate-mismatch-ru.txt', 1),
    }),
    open: () => writeFileSync(gate, ''),
    /** `begin` and `end` of each run with its command; of a list also the text of the license. */
    journal: () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []),
  };
}

async function startWith(settings: Record<string, string>) {
  const ring = await gatedRing();
  const service = await startTestService({ RING_CMD: ring.command, JWT_SECRET: SECRET, ...settings });
  return { ring, service };
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

const times = <T>(count: number, value: T) => Array<T>(count).fill(value);

it.each([1, 3])('of %i processes of ring there are never more, and clients take turns', async (most) => {
  const { ring, service } = await startWith({ RING_CONCURRENCY: String(most) });
  const decodes = [];
  for (const [i, name] of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1'].entries()) {
    const client = `203.0.113.${name.charCodeAt(0)}`;
    const request = upload(service, Buffer.from(name)).set('X-Forwarded-For', client);
    decodes.push(request.then(({ status }) => status));
    await until(() => service.decoding() === i + 1);
  }
  await until(() => ring.journal().length === most);
  ring.open();
  expect(await Promise.all(decodes)).toEqual(times(7, 200));
  let running = 0;
  const counts = ring.journal().map((event) => (running += event.startsWith('begin') ? 1 : -1));
  expect([running, Math.max(...counts)]).toEqual([0, most]);
  const order = ring.journal().flatMap((event) => /^begin list (\w+)/.exec(event)?.[1] ?? []);
  expect(order).toHaveLength(7);
  // Processes that run side by side note their begin in any order.
  if (most === 1) expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a5'));
});

describe('a full queue', () => {
  const FULL = { RING_CONCURRENCY: '1', RING_QUEUE_LIMIT: '3' };

  it('is answered 503 before the body is read, and costs no quota', async () => {
    const { ring, service } = await startWith({ ...FULL, RATE_LIMIT_MAX: '5' });
    const decodes = Promise.all(Array.from({ length: 4 }, () => upload(service)));
    await until(() => service.decoding() === 4);
    for (let i = 0; i < 6; i++) {
      const { answer } = await beginUpload(service);
      expectError(answer, 'queue_full');
      expect(answer?.headers).toMatchObject({ 'retry-after': '5' });
    }
    ring.open();
    expect((await decodes).map(({ status }) => status)).toEqual(times(4, 200));
    const next = await upload(service);
    expect(next).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '0' } });
    expect(service.files()).toEqual([]);
  });

  it('counts uploads in progress, and has room again when they break off', async () => {
    const { ring, service } = await startWith(FULL);
    ring.open();
    const uploads = [];
    for (let i = 0; i < 4; i++) uploads.push(await beginUpload(service));
    expectError(await upload(service), 'queue_full');
    for (const { socket } of uploads) socket.destroy();
    await until(async () => (await upload(service)).status === 200);
  });
});

it('one client gets half of all decodes: the subject of a token, or an address', async () => {
  const { service } = await startWith({ RING_CONCURRENCY: '1', RING_QUEUE_LIMIT: '15' });
  const from = (address: string) => `X-Forwarded-For: 203.0.113.${address}`;
  for (let i = 0; i < 8; i++)
    expect((await beginUpload(service, bearer('shop'), from(String(i)))).answer).toBeUndefined();
  expectError((await beginUpload(service, bearer('shop'), from('99'))).answer, 'queue_full');
  for (const others of [bearer('bank'), from('1'), from('1')])
    expect((await beginUpload(service, others, from('1'))).answer).toBeUndefined();
});

it('decodes whose waiting and runs take longer than DECODE_TIMEOUT_MS together are answered 504', async () => {
  const service = await startTestService({
    RING_CMD: { list: 'exec sleep 300' },
    RING_CONCURRENCY: '1',
    RING_TIMEOUT_MS: '1000',
    DECODE_TIMEOUT_MS: '3000',
  });
  // One at a time, so the deadline of the last comes while it waits.
  const answers = await Promise.all(times(5, 0).map(() => upload(service).then((answer) => answer)));
  const late = answers.find(({ body }) => (body as { error?: string }).error === 'decode_timeout');
  expectError(late, 'decode_timeout');
  expect(service.files()).toEqual([]);
});
