import { request as httpRequest, Agent } from 'node:http';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing, print } from './support/fake-ring.js';
import { isRunning, processesIn } from './support/processes.js';
import { accepts } from './support/servers.js';
import { eventually, upload } from './support/service.js';
import { filesOf, spawnService, type SpawnedService } from './support/spawned-service.js';
import { readdirSync } from 'node:fs';

const SLOW = `sleep 1; ${print('list-one-ru.txt')}`;

async function duringDecode(list: string, settings: Record<string, string> = {}) {
  const service = await spawnService({ RING_CMD: await fakeRing({ list }), ...settings });
  const answer = upload(service).then(
    (response) => response,
    () => undefined,
  );
  expect(await eventually(() => processesIn(service.tmpBase).length > 0)).toBe(true);
  return { service, answer };
}

function expectNothingLeft(service: SpawnedService): void {
  expect(filesOf(service)).toEqual([]);
  expect(processesIn(service.tmpBase)).toEqual([]);
  for (const base of [service.uploadDir, service.tmpBase])
    expect(existsSync(base) ? readdirSync(base) : []).toEqual([]);
}

/** A status probe over a connection that is kept. */
const probe = (service: SpawnedService, agent: Agent) =>
  new Promise<number | undefined>((resolve) => {
    const request = httpRequest(`${service.url}/api/status`, { agent }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', () => {
      resolve(undefined);
    });
    request.end();
  });

describe('the end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s: decodes under way are answered, new connections refused, exit status 0',
    async (signal) => {
      const { service, answer } = await duringDecode(SLOW);
      service.process.kill(signal);
      await eventually(async () => !(await accepts(service.port)), 500);
      expect(await accepts(service.port)).toBe(false);
      expect((await answer)?.status).toBe(200);
      expect(await service.exited).toBe(0);
      expectNothingLeft(service);
    },
  );

  it('readiness turns 503 for who still has a connection', async () => {
    const { service, answer } = await duringDecode(SLOW);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // A request that is under way keeps its connection open past the signal.
    const first = await probe(service, agent);
    const pending = Promise.all([probe(service, agent), probe(service, agent)]);
    service.process.kill('SIGTERM');
    expect(first).toBeDefined();
    const [, last] = await pending;
    expect([503, undefined, 200]).toContain(last);
    expect((await answer)?.status).toBe(200);
    expect(await service.exited).toBe(0);
    agent.destroy();
  });

  it('idle connections do not hold it up', async () => {
    const service = await spawnService({ RING_CMD: await fakeRing() });
    const agent = new Agent({ keepAlive: true });
    await probe(service, agent);
    const begin = Date.now();
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(Date.now() - begin).toBeLessThan(2000);
    agent.destroy();
  });

  it('decodes that take longer than SHUTDOWN_TIMEOUT_MS are ended with 503', async () => {
    const { service, answer } = await duringDecode('sleep 300 & wait', { SHUTDOWN_TIMEOUT_MS: '500' });
    service.process.kill('SIGTERM');
    const response = await answer;
    expect(response?.status).toBe(503);
    if (response) expectDocumented(response);
    expect(response?.body).toMatchObject({ error: 'shutting_down' });
    expect(await service.exited).toBe(0);
    expectNothingLeft(service);
  });

  it('decodes that wait for a slot are ended, too', async () => {
    const { service } = await duringDecode('sleep 300', {
      SHUTDOWN_TIMEOUT_MS: '500',
      RING_CONCURRENCY: '1',
    });
    const waiting = upload(service);
    waiting.end(() => undefined);
    await eventually(() => filesOf(service).filter((file) => file.endsWith('.lic')).length === 2);
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expectNothingLeft(service);
  });

  it('a second signal ends at once, with ring and the files', async () => {
    const { service } = await duringDecode('sleep 300 & wait');
    const ringProcesses = processesIn(service.tmpBase);
    service.process.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const begin = Date.now();
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(130);
    expect(Date.now() - begin).toBeLessThan(1000);
    expect(await eventually(() => ringProcesses.every((pid) => !isRunning(pid)), 1000)).toBe(true);
    expectNothingLeft(service);
  });

  it.each(['throw', 'reject'])(
    'an unexpected exception (%s) is logged and ends it the same way, exit status 1',
    async (kind) => {
      const preload = `data:text/javascript,process.on('SIGUSR2',()=>{${kind === 'throw' ? "throw new Error('boom')" : "Promise.reject(new Error('boom'))"}})`;
      const service = await spawnService(
        { RING_CMD: await fakeRing({ list: SLOW }) },
        { env: { ...process.env, NODE_OPTIONS: `--import "${preload}"` } },
      );
      const answer = upload(service).then(({ status }) => status);
      await eventually(() => processesIn(service.tmpBase).length > 0);
      service.process.kill('SIGUSR2');
      expect(await answer).toBe(200);
      expect(await service.exited).toBe(1);
      expect(service.log.filter(({ level }) => level === 60)).toMatchObject([{ err: { message: 'boom' } }]);
      expectNothingLeft(service);
    },
  );
});

it('a taken port ends the start with the reason and nothing left', async () => {
  const first = await spawnService({ RING_CMD: await fakeRing() });
  const second = spawnService({
    PORT: String(first.port),
    UPLOAD_DIR: join(first.uploadDir, 'x'),
    TMP_BASE: join(first.tmpBase, 'x'),
  });
  await expect(second).rejects.toThrow(
    /ended with 1: The service can't start:\nPORT: can't listen on port \d+ \(EADDRINUSE\)/,
  );
  expect(filesOf(first)).toEqual([]);
});
