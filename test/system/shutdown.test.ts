import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { fakeJavaHome, print } from '../support/fake-ring.js';
import { processesIn } from '../support/processes.js';
import { fillLog, openConnection, responsesOn, unfinishedUpload } from '../support/raw-http.js';
import { accepts } from '../support/servers.js';
import { upload } from '../support/service.js';
import { spawnService, type SpawnedService } from '../support/spawned-service.js';
import { expectNothingLeft, filesIn, tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

/** A service whose ring works until {@link finish} is called. */
async function duringDecode(settings: Record<string, string> = {}, env?: NodeJS.ProcessEnv) {
  const done = join(await tempDirectory(), 'done');
  const list = `while [ ! -e '${done}' ]; do sleep 0.05; done; ${print('list-one-ru.txt')}`;
  const service = await spawnService({ RING_CMD: { list }, ...settings }, env && { env });
  const answer = upload(service).then((response) => response);
  await underWay(service);
  return { service, answer, finish: () => writeFile(done, '') };
}

const underWay = (service: SpawnedService) => until(() => processesIn(service.tmpBase).length > 0);

const isStopping = (service: SpawnedService) => until(async () => !(await accepts(service.port)));

describe('the signal', () => {
  it('SIGTERM lets decodes under way be answered, refuses connections, and ends with status 0', async () => {
    const { service, answer, finish } = await duringDecode();
    service.process.kill('SIGTERM');
    await isStopping(service);
    await finish();
    expect((await answer).status).toBe(200);
    expect(await service.exited).toBe(0);
    await expectNothingLeft(service);
  });

  it('SIGTERM turns /api/status to 503 for a client that is still connected', async () => {
    const env = { ...process.env, JAVA_HOME: await fakeJavaHome() };
    const { service, answer, finish } = await duringDecode({}, env);
    expect((await fetch(`${service.url}/api/status`)).status).toBe(200);

    // A connection on which a request has begun is not closed by the signal.
    const socket = openConnection(service.port, 'GET /api/status HTTP/1.1\r\nHost: x\r\n');
    const responses = responsesOn(socket);
    await once(socket, 'connect');
    expect(await fetch(`${service.url}/healthz`)).toHaveProperty('status', 200);
    service.process.kill('SIGTERM');
    await isStopping(service);
    socket.write('\r\n');
    await once(socket, 'end');
    expect(responses()).toMatchObject([
      { status: 503, headers: { connection: 'close' }, body: { ready: false, ring: { valid: true } } },
    ]);
    await finish();
    expect((await answer).status).toBe(200);
    expect(await service.exited).toBe(0);
  });

  it('SIGHUP is ignored without a terminal, as nohup wants it, and stops a service that has one', async () => {
    const service = await spawnService();
    service.process.kill('SIGHUP');
    await until(() => service.log.some(({ msg }) => msg === 'SIGHUP is ignored'));
    expect(await accepts(service.port)).toBe(true);

    const inTerminal = await spawnService({}, { before: 'exec <>/dev/ptmx' });
    inTerminal.process.kill('SIGHUP');
    expect(await inTerminal.exited).toBe(0);
  });

  it('SIGQUIT ends decodes, waiting ones too, with 503 after SHUTDOWN_TIMEOUT_MS', async () => {
    const { service, answer } = await duringDecode({ SHUTDOWN_TIMEOUT_MS: '500', RING_CONCURRENCY: '1' });
    const waiting = upload(service).then((response) => response);
    await until(() => filesIn(service).filter((file) => file.endsWith('.lic')).length === 2);
    service.process.kill('SIGQUIT');
    for (const response of await Promise.all([answer, waiting])) {
      expect(response).toMatchObject({ status: 503, body: { error: 'shutting_down' } });
      expectDocumented(response);
    }
    expect(await service.exited).toBe(0);
    await expectNothingLeft(service);
  });

  it('SIGTERM answers an upload that still arrives after SHUTDOWN_TIMEOUT_MS with 503, and logs it', async () => {
    const service = await spawnService({ SHUTDOWN_TIMEOUT_MS: '500' });
    const socket = openConnection(service.port, unfinishedUpload('X-Request-Id: own'));
    const responses = responsesOn(socket);
    await until(() => filesIn(service).length > 0);
    service.process.kill('SIGTERM');
    await once(socket, 'end');
    expect(responses()).toMatchObject([{ status: 503, headers: { 'x-request-id': 'own' } }]);
    expectError(responses()[0], 'shutting_down');
    expect(await service.exited).toBe(0);
    const requests = service.log.filter((line) => 'req' in line);
    expect(requests).toMatchObject([{ req: { id: 'own' }, res: { status: 503 }, code: 'shutting_down' }]);
    await expectNothingLeft(service);
  });

  it('SIGINT a second time ends ring, removes the files and exits with 128 and its number', async () => {
    const service = await spawnService({ RING_CMD: { list: 'sleep 300 & wait' } });
    upload(service).end(() => undefined);
    await underWay(service);
    service.process.kill('SIGINT');
    await isStopping(service);
    service.process.kill('SIGINT');
    expect(await service.exited).toBe(130);
    await expectNothingLeft(service);
  });
});

it.each([
  ['a pipe', 'mkfifo'],
  ['a link to a file without an end', 'ln -s /dev/zero'],
])(
  'a ring that replaces the license by %s keeps neither the decode nor SIGTERM waiting',
  async (_title, replace) => {
    const list = `rm "$4/license.lic"; ${replace} "$4/license.lic"; ${print('list-one-ru.txt')}`;
    const service = await spawnService({ RING_CMD: { list } });
    const answer = await upload(service).field('structured', 'true').timeout(20_000).expect(200);
    expect(answer.body).toMatchObject({ structured: { file: { productCode: '0000000001002' } } });
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    await expectNothingLeft(service);
  },
);

it('an unexpected exception is logged, decodes are answered, exit status 1', async () => {
  // Node.js makes an exception of a rejection that nobody handles.
  const preload = "data:text/javascript,process.on('SIGUSR2',()=>{Promise.reject(new Error('boom'))})";
  const env = { ...process.env, NODE_OPTIONS: `--import "${preload}"` };
  const { service, answer, finish } = await duringDecode({}, env);
  service.process.kill('SIGUSR2');
  await isStopping(service);
  await finish();
  expect((await answer).status).toBe(200);
  expect(await service.exited).toBe(1);
  expect(service.log.filter(({ level }) => level === 60)).toMatchObject([{ err: { message: 'boom' } }]);
  await expectNothingLeft(service);
});

it('a stop that fails does not end with status 0', async () => {
  const preload =
    "data:text/javascript,import n from 'net';const{close}=n.Server.prototype;n.Server.prototype.close=" +
    "function(){n.Server.prototype.close=close;throw new Error('boom')}";
  const env = { ...process.env, NODE_OPTIONS: `--import "${preload}"` };
  const service = await spawnService({}, { env });
  // It listens a moment before it heeds signals.
  await fetch(`${service.url}/healthz`);
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(1);
});

it('the last lines of the log wait for a slow reader', async () => {
  const service = await spawnService({ LOG_LEVEL: 'debug' });
  service.process.stdout?.pause();
  expect(await fillLog(service.port)).toEqual(Array(600).fill(200));
  service.process.kill('SIGTERM');
  await isStopping(service);
  const closed = once(service.process, 'close');
  service.process.stdout?.resume();
  expect((await closed)[0]).toBe(0);
  expect(service.log.at(-1)).toMatchObject({ msg: 'stopped' });
});
