import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { fakeRing } from '../support/fake-ring.js';
import { FORM, GET_HEALTH, sendRaw, unfinishedUpload } from '../support/raw-http.js';
import { freePort, startNginx } from '../support/servers.js';
import { read } from '../support/project.js';
import { getStatus, startTestService, upload } from '../support/service.js';
import { behindNginx, openMany } from '../support/nginx.js';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const MAX = 5_242_880;
const CHALLENGE = '/.well-known/acme-challenge/token-1';

/** Puts what a certificate authority asks for into the webroot of nginx. */
async function putChallenge(directory: string): Promise<void> {
  const path = join(directory, 'webroot', CHALLENGE);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'token-1.thumbprint');
}

describe('behind nginx with docs/deploy/nginx/nginx.conf', { tags: 'nginx' }, () => {
  it('a forged X-Forwarded-For gains nothing', async () => {
    const { url, service } = await behindNginx({ RATE_LIMIT_MAX: '3' });
    const statuses = [];
    for (const forged of ['', '1.1.1.1', '2.2.2.2', '3.3.3.3, 4.4.4.4', '10.0.0.1', '::1', 'x']) {
      const response = await upload({ url }).set('X-Forwarded-For', forged);
      statuses.push(response.status);
      expectDocumented(response);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429]);
    const requests = service.log.flatMap(({ req }) => (req as { address: string } | undefined) ?? []);
    expect(new Set(requests.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
  });

  it('a file of 5 MB is decoded; a larger one, or 1 KB on another path, is 413 in JSON', async () => {
    const { url } = await behindNginx();
    await upload({ url }, randomBytes(MAX)).expect(200);
    for (const size of [MAX + 1, 7_000_000]) {
      const response = await upload({ url }, randomBytes(size)).expect('Content-Type', /^application\/json/);
      expect(response).toMatchObject({ status: 413, body: { error: 'file_too_large' } });
    }
    for (const path of ['/', '/api/status', '/api/decode/x']) {
      const response = await supertest(url).post(path).send('x'.repeat(1025));
      const message = expect.stringContaining('/api/decode') as string;
      expect(response).toMatchObject({ status: 413, body: { message } });
    }
  });

  it(
    'with tls.conf, plain HTTP is only redirected, and answers health checks',
    { tags: 'openssl' },
    async () => {
      const { port: replica } = await startTestService();
      const [directory, tlsPort] = [await tempDirectory(), await freePort()];
      const pem = (name: string) => join(directory, `${name}.pem`);
      const keys = ['-keyout', pem('privkey'), '-out', pem('fullchain'), '-newkey', 'rsa:2048', '-nodes'];
      execFileSync('openssl', ['req', '-x509', '-subj', '/CN=localhost', ...keys], { stdio: 'ignore' });
      const tls = readFileSync('docs/deploy/nginx/tls.conf', 'utf8').replace('443', `127.0.0.1:${tlsPort}`);
      await writeFile(join(directory, 'tls.conf'), tls.replaceAll('/etc/nginx-tls', directory));
      const plain = `http://127.0.0.1:${await startNginx([replica], directory, `${directory}/tls.conf`)}`;
      const secure = supertest(`https://127.0.0.1:${tlsPort}`);
      for (const host of ['license.example.com', 'license.example.com:80', '[2001:db8::1]'])
        for (const path of ['/', '/healthz/x', '/api/status?a=b']) {
          const answer = await supertest(plain).get(path).set('Host', host);
          const headers = { location: `https://${host.replace(':80', '')}${path}` };
          expect(answer).toMatchObject({ status: 308, headers, body: { error: 'https_required' } });
          expect(answer.headers).not.toHaveProperty('strict-transport-security');
        }
      // Nothing tells which port HTTPS has.
      const refused = await supertest(plain).get('/').set('Host', 'license.example.com:8080');
      expect(refused).toMatchObject({ status: 400, body: { error: 'https_required' } });
      expect(refused.headers).not.toHaveProperty('location');
      await supertest(plain).get('/healthz').expect(200);
      await putChallenge(directory);
      const shown = await supertest(plain).get(CHALLENGE).expect('Content-Type', 'text/plain');
      expect(shown).toMatchObject({ status: 200, text: 'token-1.thumbprint' });
      const connection = connectTls({ port: tlsPort, rejectUnauthorized: false });
      await once(connection, 'secureConnect');
      expect(connection.getProtocol()).toBe('TLSv1.3');
      connection.destroy();
      await secure
        .get('/api/status')
        .trustLocalhost()
        .expect('Strict-Transport-Security', /^max-age=/)
        .expect(200);
    },
  );

  it(
    'the access list of install.md lets in addresses, passwords and the certificate authority',
    { tags: 'openssl' },
    async () => {
      const { port: replica } = await startTestService();
      const directory = await tempDirectory();
      const [, list = ''] = /access\.conf <<'END'\n(.*?)^END$/ms.exec(read('docs/install.md')) ?? [];
      const config = list
        .replace('allow 127.0.0.1;', '')
        .replace('192.168.0.0/16', '127.0.0.2')
        .replace('/etc/nginx-tls', directory);
      await writeFile(join(directory, 'access.conf'), config);
      const hash = execFileSync('openssl', ['passwd', '-apr1', 'right'], { encoding: 'utf8' });
      await writeFile(join(directory, 'passwords'), `ivanov:${hash}`);
      await putChallenge(directory);
      const url = `http://127.0.0.1:${await startNginx([replica], directory, `${directory}/access.conf`)}`;

      await upload({ url }).expect(401);
      await upload({ url }).auth('ivanov', 'wrong').expect(401);
      await upload({ url }).auth('ivanov', 'right').expect(200);
      const listed = new Agent({ localAddress: '127.0.0.2' });
      await upload({ url }).agent(listed).expect(200);
      await supertest(url).get(CHALLENGE).expect(200);
    },
  );

  it('requests that are refused while they arrive take no replica from the others', async () => {
    const settings = { RATE_LIMIT_MAX: '0', JWT_SECRET: 'x'.repeat(32), CORS_ORIGINS: '*' };
    const [one, two] = [await startTestService(settings), await startTestService(settings)];
    const port = await startNginx([one.port, two.port]);
    const line = (name: string, length: number) => `${name}: ${'x'.repeat(length)}`;
    // Just within nginx's buffers of 1, 8 and 8 KB, and more than Node.js takes.
    const tooLong = [line('A', 500), line('B', 8100), line('C', 8100)];
    const refused: [string, string[], number][] = [
      ['POST /api/decode', [], 429],
      ['FOO_BAR /api/decode', [], 400],
      ['POST /api/decode?\xff', [], 400],
      ['POST /api/decode', ['X: \x01'], 400],
      ['POST /api/decode', tooLong, 431],
      [
        'OPTIONS /api/decode',
        [line('Access-Control-Request-Headers', 7000), 'Origin: https://a.example'],
        204,
      ],
    ];
    for (const [start, headers, status] of refused) {
      for (const size of [20_000, 300_000, 5_000_000]) {
        const head = [`${start} HTTP/1.1`, 'Host: x', FORM, `Content-Length: ${size}`, ...headers, '', ''];
        const request = [Buffer.from(head.join('\r\n'), 'latin1'), Buffer.alloc(size)];
        const statuses = [];
        for (let i = 0; i < 3; i++) statuses.push((await sendRaw(port, request)).responses[0]?.status);
        for (let i = 0; i < 2; i++) statuses.push((await sendRaw(port, [GET_HEALTH])).responses[0]?.status);
        expect(statuses, head[0]).toEqual([status, status, status, 200, 200]);
      }
    }
  });

  it('a replica that is down is passed over; none at all is 502 in JSON', async () => {
    const service = await spawnService();
    const url = `http://127.0.0.1:${await startNginx([await freePort(), service.port])}`;
    for (let i = 0; i < 4; i++) await upload({ url }).expect(200);
    service.process.kill('SIGKILL');
    await service.exited;
    expect(await upload({ url })).toMatchObject({ status: 502, body: { error: 'service_unreachable' } });
  });

  it('a file of yours beside tls.conf sets other limits and timeouts, and a replica that takes no connections is 502', async () => {
    const { process: frozen, port: replica } = await spawnService();
    const own = join(await tempDirectory(), 'own.conf');
    await writeFile(own, 'limit_conn clients 2; proxy_connect_timeout 1s;');
    const port = await startNginx([replica], undefined, own);
    const docs = () => supertest(`http://127.0.0.1:${port}`).get('/api/docs');
    // One that comes while the document is under way is refused, and others fill its place.
    await openMany(port, 8, unfinishedUpload());
    await until(async () => (await docs()).status === 503);

    const other = await startNginx([replica], undefined, own);
    frozen.kill('SIGSTOP');
    // More than the kernel accepts for a process that takes none.
    await openMany(replica, 550, '');
    const answer = await supertest(`http://127.0.0.1:${other}`).get('/api/status');
    const message = expect.stringContaining('takes no connections') as string;
    expect(answer).toMatchObject({ status: 502, body: { error: 'service_unreachable', message } });
    expect(answer.headers['retry-after']).toBe('5');
  });

  it('what a replica without ring refuses, the other one answers; if both refuse, the client gets their 503', async () => {
    const unready = await startTestService({ RING_CMD: '/nowhere' });
    const ready = await startTestService();
    const url = `http://127.0.0.1:${await startNginx([unready.port, ready.port])}`;
    for (let i = 0; i < 4; i++) {
      await getStatus({ url }).expect(200);
      await upload({ url }).expect(200);
    }

    const alsoUnready = await startTestService({ RING_CMD: '/nowhere' });
    const down = `http://127.0.0.1:${await startNginx([unready.port, alsoUnready.port])}`;
    for (let i = 0; i < 4; i++) {
      const status = await supertest(down).get('/api/status');
      expect(status).toMatchObject({ status: 503, body: { ready: false } });
      expect(await upload({ url: down })).toMatchObject({ status: 503, body: { error: 'ring_unavailable' } });
    }
  });

  it('a file on which ring crashes runs once, and counts once', async () => {
    const runs = join(await tempDirectory(), 'runs');
    const settings = {
      RING_CMD: await fakeRing({ list: `echo x >>'${runs}'; kill -SEGV $$` }),
      RATE_LIMIT_MAX: '3',
    };
    const replicas = [await startTestService(settings), await startTestService(settings)];
    const url = `http://127.0.0.1:${await startNginx(replicas.map(({ port }) => port))}`;
    const response = await upload({ url });
    expectError(response, 'ring_crashed');
    expect(response.headers['x-ratelimit-remaining']).toBe('2');
    expect(readFileSync(runs, 'utf8')).toBe('x\n');
  });

  it.each(['/API/decode', '/api/decode/', '/Api/Decode/'])(
    '%s takes a license, as it does without nginx',
    async (path) => {
      const directory = await tempDirectory();
      const service = await startTestService();
      const url = `http://127.0.0.1:${await startNginx([service.port], directory)}`;
      const send = (size: number) => supertest(url).post(path).attach('license', randomBytes(size), 'a.lic');
      await send(2048).expect(200);
      const tooLarge = { status: 413, body: { message: expect.stringContaining('5 MB') as string } };
      expect(await send(7_000_000)).toMatchObject(tooLarge);
      // nginx logs the second request when it has discarded the rest of its body.
      const logged = async () => (await readFile(join(directory, 'access.log'), 'utf8')).match(/POST \S+/g);
      await expect.poll(logged).toEqual([`POST ${path}`, `POST ${path}`]);
    },
  );

  it('a restart loses no decode that has begun: one replica drains while the other serves', async () => {
    const begun = join(await tempDirectory(), 'begun');
    const ring = await fakeRing({ list: `echo x >>'${begun}'; sleep 0.2; echo 332588056123456-1` });
    const [one, two] = [
      await startTestService({ RING_CMD: ring }),
      await startTestService({ RING_CMD: ring }),
    ];
    const url = `http://127.0.0.1:${await startNginx([one.port, two.port])}`;
    const statuses: number[] = [];
    const clients = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 4; i++) statuses.push((await upload({ url })).status);
    });
    await until(() => statuses.length >= 4);
    await one.stop();
    await Promise.all(clients);
    expect(statuses).toEqual(Array(16).fill(200));
    expect(readFileSync(begun)).toHaveLength(2 * statuses.length);
    for (let i = 0; i < 4; i++) await upload({ url }).expect(200);
  });

  it('no log has a query string, regardless of what goes wrong', async () => {
    const directory = await tempDirectory();
    const port = await startNginx([await freePort()], directory);
    const post = async (path: string, bytes: number) => {
      const url = `http://127.0.0.1:${port}${path}?token=hunter2`;
      const response = await fetch(url, { method: 'POST', body: Buffer.alloc(bytes) });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    // No replica; a body that is too large; temporary storage that cannot be written.
    expect(await post('/api/status', 10)).toEqual([502, 'service_unreachable']);
    expect(await post('/api/decode', 7_000_000)).toEqual([413, 'file_too_large']);
    await rm(join(directory, 'tmp/client_body'), { recursive: true });
    await writeFile(join(directory, 'tmp/client_body'), '');
    expect(await post('/api/decode', 100_000)).toEqual([503, 'storage_unavailable']);
    // A request that is no HTTP; one more than limit_conn allows.
    const garbage = connect(port, '127.0.0.1').end('GET /?token=hunter2 HTTP/1.1\r\nno header\r\n\r\n');
    expect((await garbage.toArray()).join('')).toMatch(/^HTTP\/1.1 400/);
    await openMany(port, 40, unfinishedUpload());
    await until(async () => (await post('/api/status', 10))[1] === 'queue_full');

    const access = await readFile(join(directory, 'access.log'), 'utf8');
    for (const status of [400, 413, 502, 503]) expect(access).toContain(` ${status} `);
    expect(access).toMatch(/ 127\.0\.0\.1:\d+ 502$/m);
    expect(access + (await readFile(join(directory, 'error.log'), 'utf8'))).not.toContain('hunter2');
  });

  it('one address has at most 32 requests under way, which neither others nor its probes notice', async () => {
    const { url, port } = await behindNginx();
    await openMany(port, 31, unfinishedUpload());
    // The upload itself is one of them, so one of the others may have been refused.
    const isRefused = async () => {
      await openMany(port, 1, unfinishedUpload());
      return (await upload({ url })).status === 503;
    };
    await until(isRefused);
    const refused = { status: 503, headers: { 'retry-after': '5' }, body: { error: 'queue_full' } };
    expect(await upload({ url })).toMatchObject(refused);
    await getStatus({ url }).expect(200);
    // With a body a probe could take as long as an upload.
    expect(await supertest(url).get('/healthz').send('{}')).toMatchObject(refused);
    const other = new Agent({ localAddress: '127.0.0.2' });
    await upload({ url }).agent(other).expect(200);
  });
});
