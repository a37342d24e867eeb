import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT, SAMPLE } from '../support/project.js';
import { freePort } from '../support/servers.js';
import { until } from '../support/until.js';

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim();

const INSTALLATIONS = [
  {
    script: 'docker.sh',
    settings: '.env',
    containers: ['license-decoder'],
    config: 'docker.args',
    configOf: (port: number) => `--publish=127.0.0.1:${port}:3000\n`,
  },
  {
    script: 'compose.sh',
    settings: 'docs/deploy/.env',
    containers: ['license-decoder-license-decoder-1-1', 'license-decoder-license-decoder-2-1'],
    config: 'docs/deploy/compose.override.yaml',
    configOf: (port: number) => `
services:
  nginx: { ports: !override ['127.0.0.1:${port}:80'] }
  license-decoder-1: { volumes: !reset [] }
  license-decoder-2: { volumes: !reset [] }
`,
  },
];

describe.each(INSTALLATIONS)(
  '$script',
  { tags: 'docker' },
  ({ script, settings, containers, config, configOf }) => {
    let directory = '';
    let clone = '';
    let installed = { stdout: '' };
    let url = '';

    const path = (name: string) => join(clone, name);
    /** What a new version consists of. */
    const release = (version: string, ...more: string[]) => {
      const lines = ['FROM license-decoder:test', 'COPY ring /opt/ring', `LABEL tried=${version}`, ...more];
      writeFileSync(path('Dockerfile'), lines.join('\n'));
    };
    /** Changes a file until the test ends. */
    const append = (name: string, line: string) => {
      const before = readFileSync(path(name));
      onTestFinished(() => writeFileSync(path(name), before));
      appendFileSync(path(name), line);
    };
    const start = (...args: string[]) =>
      // In a process group of its own, so that a signal can go to all of it.
      spawn(path(`docs/deploy/${script}`), args, {
        cwd: '/',
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    async function run(...args: string[]) {
      const child = start(...args);
      const closed = once(child, 'close');
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      await closed;
      return { status: child.exitCode, stdout, stderr };
    }
    /** The containers that run, with the version of each. */
    const running = () =>
      containers.map((name) =>
        docker('inspect', '-f', '{{.Id}} {{.State.Running}} {{.Config.Labels.tried}}', name),
      );
    const versions = () => running().map((container) => container.split(' ').slice(1).join(' '));

    async function decode(): Promise<number | string> {
      const body = new FormData();
      body.append('license', new Blob([readFileSync(SAMPLE)]), 'license.lic');
      try {
        return (await fetch(`${url}/api/decode`, { method: 'POST', body, headers: { connection: 'close' } }))
          .status;
      } catch {
        return 'no answer';
      }
    }
    /** Decodes one license after another while something happens. @returns how those ended that were no success */
    async function losses(action: () => Promise<unknown>): Promise<unknown[]> {
      const all: unknown[] = [];
      let done = false;
      const client = (async () => {
        while (!done) all.push(await decode());
      })();
      await action().finally(() => (done = true));
      await client;
      expect(all).toContain(200);
      return all.filter((outcome) => outcome !== 200);
    }
    /** A call that fails, hurts nobody and says why. */
    async function expectFailure(reason: string | RegExp) {
      const before = running();
      const lost = await losses(async () => {
        const { status, stderr } = await run();
        expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(reason) as string });
      });
      expect(lost).toEqual([]);
      expect(running()).toEqual(before);
    }

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'ld-test-'));
      clone = join(directory, 'a clone');
      for (const name of ['docs/deploy', 'scripts/demo-ring'])
        cpSync(join(ROOT, name), path(name === 'docs/deploy' ? name : 'ring'), { recursive: true });
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      writeFileSync(path(config), configOf(port));
      writeFileSync(path(settings), 'RING_CMD=/opt/ring/ring\nRING_JVM_TUNING=off\nRATE_LIMIT_MAX=1000000\n');
      release('1');
      installed = await run();
      expect(installed).toMatchObject({ status: 0 });
    });

    afterAll(() => {
      const ids = docker('ps', '-aq', '-f', 'name=^license-decoder').split('\n').filter(Boolean);
      if (ids.length > 0) docker('rm', '-f', ...ids);
      for (const network of ['license-decoder_front', 'license-decoder_inside'])
        spawnSync('docker', ['network', 'rm', network]);
      rmSync(directory, { recursive: true, force: true });
    });

    it('prints commands that work with this installation', () => {
      cpSync(SAMPLE, path('license.lic'));
      const commands = installed.stdout.split('\n').filter((line) => line.startsWith('  '));
      expect(commands).toHaveLength(5);
      const outputs = commands.map((command) =>
        execFileSync('sh', ['-c', command], { cwd: clone, encoding: 'utf8', stdio: 'pipe' }),
      );
      expect(outputs[0]).toContain('"ready":true');
      expect(outputs[1]).toContain('"pinCode"');
      expect(outputs[2]).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\s$/);
      expect(outputs[3]).toContain('Everything is fine');
      expect(outputs[4]).toContain('ready to decode');
    });

    it('changes nothing when the new version never becomes ready', async () => {
      append(settings, '\nRING_CMD=/nowhere\n');
      await expectFailure(/not ready to decode|"problem"[^]*Nothing was changed/);
    });

    it('keeps the file with its secret from other users', () => {
      expect(statSync(path(settings)).mode & 0o777).toBe(0o600);
    });

    it('changes nothing from another clone that lacks the secret, and names the first one', () => {
      const second = join(directory, 'a second clone');
      cpSync(join(ROOT, 'docs/deploy'), join(second, 'docs/deploy'), { recursive: true });
      const before = running();
      const { status, stderr } = spawnSync(join(second, 'docs/deploy', script), { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(clone) as string });
      expect(running()).toEqual(before);
      expect(existsSync(join(second, settings))).toBe(false);
    });

    it('changes nothing when it exits, does not build, or has a bad setting', async () => {
      append(settings, '\nRATE_LIMIT_MAX=many\n');
      await expectFailure(/RATE_LIMIT_MAX: must be a whole number[^]*Nothing was changed/);
      append('Dockerfile', '\nCMD ["false"]\n');
      await expectFailure('Nothing was changed');
      append('Dockerfile', '\nRUN false\n');
      await expectFailure('does not build. Nothing was changed');
    });

    it('names the file with the settings when it cannot be read', async () => {
      append(settings, '\nA LINE=that is no setting\n');
      await expectFailure(script === 'docker.sh' ? 'Correct .env or docker.args' : /\.env[^]*cannot be read/);
    });

    it('changes nothing when it is interrupted in the check, and refuses a second call meanwhile', async () => {
      const before = running();
      release('interrupted');
      const child = start();
      await until(() => docker('ps', '-q', '-f', 'name=^license-decoder-check') !== '');
      expect(await run()).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('Another call') as string,
      });
      process.kill(-(child.pid ?? 0), 'SIGINT');
      expect((await once(child, 'close'))[0]).toBe(130);
      expect(running()).toEqual(before);
      expect(docker('ps', '-aq', '-f', 'name=^license-decoder-(check|next)')).toBe('');
    });

    it('installs after a call that was killed in the check', async () => {
      release('killed');
      const child = start();
      await until(() => docker('ps', '-q', '-f', 'name=^license-decoder-check') !== '');
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await once(child, 'close');
      expect(await run()).toMatchObject({ status: 0 });
      expect(versions()).toEqual(containers.map(() => 'true killed'));
      release('1');
      expect(await run()).toMatchObject({ status: 0 });
    });

    it('updates, also when a signal comes in the exchange, and goes back and forth', async () => {
      release('2');
      const child = start();
      const lost = await losses(async () => {
        for await (const chunk of child.stdout) if (String(chunk).includes('cannot be interrupted')) break;
        await sleep(500);
        process.kill(-(child.pid ?? 0), 'SIGHUP');
        child.stdout.resume();
        await once(child, 'exit');
      });
      expect(versions()).toEqual(containers.map(() => 'true 2'));
      for (const version of ['1', '2']) {
        expect(await run('--previous')).toMatchObject({ status: 0 });
        expect(versions()).toEqual(containers.map(() => `true ${version}`));
        expect(await decode()).toBe(200);
      }
      // One container cannot be replaced without a moment of nothing; with two, only nginx's reload may end a connection.
      if (containers.length > 1) expect(lost.filter((outcome) => outcome !== 'no answer')).toEqual([]);
      if (containers.length > 1) expect(lost.length).toBeLessThanOrEqual(3);
    });

    if (script === 'compose.sh') {
      it('goes back after an image that runs has lost its own tag', async () => {
        // As `docker image prune -a` does it, which removes all tags but one of an image that runs.
        const loseTag = () =>
          docker('rmi', docker('inspect', '-f', '{{.Config.Image}}', containers[0] ?? ''));
        const before = versions();
        const ports = readFileSync(path(config), 'utf8');
        loseTag();
        // nginx cannot start with an address that this machine does not have.
        writeFileSync(path(config), ports.replace('127.0.0.1:', '192.0.2.1:'));
        release('no-such-address');
        expect(await run()).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('What ran before runs again') as string,
        });
        expect(versions()).toEqual(before);

        writeFileSync(path(config), ports);
        loseTag();
        release('3');
        expect(await run()).toMatchObject({ status: 0 });
        expect(versions()).toEqual(containers.map(() => 'true 3'));
        expect(await run('--previous')).toMatchObject({
          status: 0,
          stdout: expect.stringContaining('The previous version is ready') as string,
        });
        expect(versions()).toEqual(before);
      });

      it('changes nothing when another program has a port that nginx is to get', async () => {
        const other = createServer().listen(0, '127.0.0.1');
        onTestFinished(() => void other.close());
        await once(other, 'listening');
        const { port } = other.address() as AddressInfo;
        const ports = readFileSync(path(config), 'utf8');
        onTestFinished(() => writeFileSync(path(config), ports));
        writeFileSync(path(config), ports.replace("'127.0.0.1:", `'127.0.0.1:${port}:80', '127.0.0.1:`));
        await expectFailure(`Another program has port ${port}`);
      });

      it('changes nothing when TLS redirects to a port that is not published', async () => {
        const tls = path('docs/deploy/nginx-tls/tls.conf');
        cpSync(path('docs/deploy/nginx/tls.conf'), tls);
        onTestFinished(() => rmSync(tls));
        await expectFailure('redirects port 80 to port 443');
      });

      it('names the settings in .env that compose.yaml overrides', async () => {
        append(settings, '\nTRUST_PROXY=loopback\nRING_CONCURRENCY=1\n');
        const { stderr } = await run();
        expect(stderr.match(/^\w+(?= in \.env has no effect)/gm)).toEqual([
          'TRUST_PROXY',
          'RING_CONCURRENCY',
        ]);
      });

      it('says that the image of the previous version is gone', async () => {
        const image = /image: (license-decoder:compose-\w+)/.exec(
          readFileSync(path('docs/deploy/.versions/previous/compose.yaml'), 'utf8'),
        );
        docker('rmi', '-f', image?.[1] ?? '');
        const before = running();
        expect(await run('--previous')).toMatchObject({
          status: 1,
          stderr: expect.stringMatching(/is gone/) as string,
        });
        expect(running()).toEqual(before);
      });
    }

    if (script === 'docker.sh') {
      it('updates when the previous version was started by hand, beside the current one or instead of it', async () => {
        const arguments_ = readFileSync(path(config));
        writeFileSync(path(config), configOf(await freePort()));
        expect(await run()).toMatchObject({ status: 0 });
        writeFileSync(path(config), arguments_);
        docker('start', 'license-decoder-previous');
        release('3');
        expect(await run()).toMatchObject({ status: 0 });
        expect(versions()).toEqual(['true 3']);
        docker('stop', 'license-decoder');
        docker('start', 'license-decoder-previous');
        release('4');
        expect(await run()).toMatchObject({ status: 0 });
        expect(versions()).toEqual(['true 4']);
      });

      it.each([
        ['answers', (_: IncomingMessage, res: ServerResponse) => void res.end('{}')],
        ['never answers', () => undefined],
      ])(
        'does not take another program in the network of the host for its own, which %s',
        async (_, onRequest) => {
          const before = running();
          const other = createServer(onRequest).listen(0, '127.0.0.1');
          onTestFinished(() => void other.close());
          await once(other, 'listening');
          const { port } = other.address() as AddressInfo;
          const arguments_ = readFileSync(path(config));
          onTestFinished(() => writeFileSync(path(config), arguments_));
          writeFileSync(path(config), `--network=host\n--env=PORT=${port}\n`);
          expect(await run()).toMatchObject({
            status: 1,
            stderr: expect.stringMatching(/EADDRINUSE[^]*What ran before runs again/) as string,
          });
          expect(running()).toEqual(before);
        },
      );

      it('says that nothing runs when the old version does not start again either', async () => {
        release('5');
        const port = Number(new URL(url).port);
        // Takes the port as soon as the old version has left it.
        const other = createServer((_, res) => res.end('{}'));
        const listen = () => void other.listen(port, '127.0.0.1');
        other.on('error', () => setTimeout(listen, 2));
        listen();
        const { status, stderr } = await run().finally(() => other.close());
        expect({ status, stderr }).toEqual({
          status: 2,
          stderr: expect.stringMatching(/NOTHING RUNS NOW[^]*docker logs/) as string,
        });
        expect(versions()).toEqual(['false 4']);
        expect(await run()).toMatchObject({ status: 0 });
        expect(versions()).toEqual(['true 5']);
      });
    }
  },
);
