import { spawn } from 'node:child_process';
import jwt from 'jsonwebtoken';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { fakeRing, print } from './support/fake-ring.js';
import { LICENSE, startTestService, upload, type TestService } from './support/service.js';

const SECRET = 'a secret for tests that is longer than 32 bytes';
const requests = (service: TestService) => service.log.filter((line) => 'req' in line);

describe('the log', () => {
  it('has one line for each request: id, method, path, address, status', async () => {
    const service = await startTestService({ RING_CMD: await fakeRing() });
    const response = await upload(service).set('X-Forwarded-For', '203.0.113.7');
    expect(requests(service)).toMatchObject([
      {
        level: 30,
        req: {
          id: response.headers['x-request-id'],
          method: 'POST',
          path: '/api/decode',
          address: '203.0.113.7',
        },
        res: { status: 200 },
      },
    ]);
  });

  it('names the error of a refused request', async () => {
    const service = await startTestService({ RING_CMD: await fakeRing({ list: 'exit 3' }) });
    await upload(service).expect(422);
    expect(requests(service)).toMatchObject([
      { level: 40, code: 'license_undecodable', detail: 'license list named no licence (exit status 3)' },
    ]);
  });

  it('has good probes at debug only, failed ones as a warning', async () => {
    const service = await startTestService({ RING_CMD: '/nonexistent' });
    await supertest(service.url).get('/healthz').expect(200);
    await supertest(service.url).get('/api/status').expect(503);
    expect(requests(service).map(({ level }) => level)).toEqual([20, 40]);
    expect(JSON.stringify(requests(service))).not.toContain('err');
  });

  it.each(['', ' ', 'a b', 'a\tb', 'я', 'x'.repeat(129), 'a"b', '<x>'])(
    'makes its own id for X-Request-Id %j',
    async (id) => {
      const service = await startTestService({ RING_CMD: '/nonexistent' });
      const response = await supertest(service.url)
        .get('/healthz')
        .set('X-Request-Id', Buffer.from(id).toString('latin1'));
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it.each(['a', 'x'.repeat(128), '4bf92f35-77b3:4da6.a_1'])('takes the X-Request-Id %j', async (id) => {
    const service = await startTestService({ RING_CMD: '/nonexistent' });
    const response = await supertest(service.url).get('/healthz').set('X-Request-Id', id);
    expect(response.headers['x-request-id']).toBe(id);
    expect(requests(service)).toMatchObject([{ req: { id } }]);
  });

  it('never holds a name, a PIN, a text of ring, a token or a secret, whatever happens', async () => {
    const talks = 'echo "Иванов 332588056123456" >&2;';
    const settings = { JWT_SECRET: SECRET, LOG_LEVEL: 'trace', RING_TIMEOUT_MS: '600' };
    const token = jwt.sign({ sub: 'Somebody' }, SECRET);
    const output: string[] = [];
    for (const commands of [
      {},
      { info: `${talks} ${print('info-unknown-ru.txt', 1)}` },
      { validate: `${talks} cat '${print('info-one-ru.txt')}'; kill -9 $$` },
      { info: `${talks} ${print('info-one-ru.txt').replace('exit 0', 'sleep 9')}` },
      { info: print('info-one-ru.txt').replace('exit 0', 'yes Иванов') },
      { debugValidate: print('info-one-ru.txt') },
    ]) {
      const service = await startTestService({ RING_CMD: await fakeRing(commands), ...settings });
      await upload(service, LICENSE, 'Иванов.lic')
        .field('detailed', 'true')
        .set('Authorization', `Bearer ${token}`)
        .set('Cookie', 'session=Somebody');
      await supertest(service.url).get('/332588056123456-8100123456/332-588-056-123-456?pin=332588056123456');
      output.push(JSON.stringify(service.log));
    }
    const all = output.join('\n');
    expect(all.length).toBeGreaterThan(1000);
    for (const secret of [
      '332588056123456',
      '332-588-056',
      'Иван',
      'Ромашка',
      'лиценз',
      'ivan@',
      token,
      SECRET,
      'Somebody',
      'SRV-OLD',
      'bGljZW5zZQ',
    ]) {
      expect(all).not.toContain(secret);
    }
  });

  it('notes a client that did not wait', async () => {
    const service = await startTestService({ RING_CMD: await fakeRing({ list: 'sleep 20' }) });
    const curl = spawn('curl', [
      '-s',
      '-m',
      '0.5',
      '-F',
      'license=@/etc/hostname;filename=a.lic',
      `${service.url}/api/decode`,
    ]);
    await new Promise((resolve) => curl.once('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(requests(service)).toMatchObject([{ level: 30, res: { status: 499 } }]);
  });
});
