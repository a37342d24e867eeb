import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeRing } from '../support/fake-ring.js';
import { ROOT, SAMPLE } from '../support/project.js';
import { freePort } from '../support/servers.js';
import { snippetsOf } from '../support/snippets.js';

const REPLICAS = ['license-decoder-1', 'license-decoder-2'];

/** The blocks of docs/install.md that start replicas, without Git's commands. */
const COMMANDS = snippetsOf('docs/install.md')
  .map(({ code }) => code.split('\n').filter((line) => line.startsWith('docker compose')))
  .filter(([first]) => first?.startsWith('docker compose up'))
  .map((commands) => commands.join('\n'));
const INSTALL = COMMANDS.at(0) ?? '';
const UPDATE = COMMANDS.at(-1) ?? '';

describe('with the commands of docs/install.md', { tags: 'docker' }, () => {
  let clone = '';
  let url = '';

  async function run(commands: string) {
    const shell = spawn('sh', ['-c', commands], { cwd: clone, stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(shell, 'close');
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    await closed;
    return { status: shell.exitCode, output: stdout + stderr };
  }
  const compose = (...args: string[]) =>
    execFileSync('docker', ['compose', ...args], { cwd: clone, encoding: 'utf8', stdio: 'pipe' }).trim();

  /** Makes the clone one of this version. */
  function release(version: string) {
    const lines = ['FROM license-decoder:test', 'COPY ring /opt/ring', `LABEL tried=${version}`];
    writeFileSync(join(clone, 'Dockerfile'), lines.join('\n'));
  }
  function writeSettings(ring: string) {
    const lines = [`RING_CMD=${ring}`, 'RING_JVM_TUNING=off', 'RATE_LIMIT_MAX=1000000'];
    writeFileSync(join(clone, '.env'), lines.join('\n'));
  }
  /** The version that each replica runs. */
  function versions() {
    const names = REPLICAS.map((replica) => `license-decoder-${replica}-1`);
    const format = '{{.State.Running}} {{.Config.Labels.tried}}';
    const output = execFileSync('docker', ['inspect', '-f', format, ...names], { encoding: 'utf8' });
    return output.trim().split('\n');
  }

  /** The containers, which are others after they were recreated. */
  const containers = () => compose('ps', '--quiet').split('\n').sort();

  const health = () => compose('ps', '--format', '{{.Health}}', ...REPLICAS);

  /** @returns the status, or why there is no answer */
  function decode(): Promise<number | string> {
    const body = new FormData();
    body.append('license', new Blob([readFileSync(SAMPLE)]), 'license.lic');
    const response = fetch(`${url}/api/decode`, { method: 'POST', body, headers: { connection: 'close' } });
    return response.then(({ status }) => status, String);
  }
  /** Decodes one license after another while commands run. @returns how they ended, and the decodes that were lost */
  async function runWhileDecoding(commands: string) {
    const outcomes: (number | string)[] = [];
    let isDone = false;
    const ended = run(commands).finally(() => (isDone = true));
    while (!isDone) outcomes.push(await decode());
    expect(outcomes).toContain(200);
    return { ...(await ended), lost: outcomes.filter((outcome) => outcome !== 200) };
  }

  async function updateToVersion2() {
    release('2');
    expect(await runWhileDecoding(UPDATE)).toMatchObject({ status: 0, lost: [] });
    expect(versions()).toEqual(['true 2', 'true 2']);
  }

  beforeAll(async () => {
    clone = mkdtempSync(join(tmpdir(), 'ld-test-'));
    cpSync(join(ROOT, 'compose.yaml'), join(clone, 'compose.yaml'));
    cpSync(join(ROOT, 'docs/deploy/nginx'), join(clone, 'docs/deploy/nginx'), { recursive: true });
    await fakeRing({}, join(clone, 'ring/ring'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // The stand-in for ring is in the image. After the start it is found out sooner than every 10 s what is not ready.
    const override = `
services:
  nginx: { ports: !override ['127.0.0.1:${port}:80'] }
  license-decoder-1: { volumes: !reset [], healthcheck: { interval: 2s } }
  license-decoder-2: { volumes: !reset [], healthcheck: { interval: 2s } }
`;
    writeFileSync(join(clone, 'compose.override.yaml'), override);
    writeSettings('/opt/ring/ring');
    release('1');
  });

  afterAll(() => {
    compose('down', '--timeout', '1', '--rmi', 'local');
    rmSync(clone, { recursive: true, force: true });
  });

  it('it is installed, ready, and its replicas share the limit', async () => {
    expect(await run(INSTALL)).toMatchObject({ status: 0 });
    expect(versions()).toEqual(['true 1', 'true 1']);
    expect(await decode()).toBe(200);
    for (const replica of REPLICAS)
      expect(compose('logs', replica)).toContain('the limit is shared by all replicas through Redis');
  });

  it.each([
    ['Redis is gone', 'stop redis', 'start redis'],
    ['a replica is killed', 'kill license-decoder-1', 'start license-decoder-1'],
  ])('no decode is lost while %s', async (_what, failure, repair) => {
    const commands = `docker compose ${failure} && sleep 3 && docker compose ${repair}`;
    expect(await runWhileDecoding(commands)).toMatchObject({ status: 0, lost: [] });
    // `up --wait` fails at once while a replica is still unhealthy.
    await expect.poll(health).toBe('healthy\nhealthy');
  });

  it('while a replica hangs for 30 s, the other one answers three decodes a second', async () => {
    compose('pause', 'license-decoder-2');
    let answered = 0;
    const decodes = Array.from({ length: 90 }, async (_, sent) => {
      await setTimeout((sent * 1000) / 3);
      if ((await decode()) === 200) answered += 1;
    });
    await setTimeout(30_000);
    const answeredMeanwhile = answered;
    compose('unpause', 'license-decoder-2');
    await Promise.all(decodes);
    expect(answeredMeanwhile).toBeGreaterThan(80);
    await expect.poll(health).toBe('healthy\nhealthy');
  });

  it('an update loses no decode', () => updateToVersion2());

  it.each([INSTALL, 'docker compose up -d'])(
    '%s recreates nothing when nothing has changed',
    async (command) => {
      const before = containers();
      expect(await run(command)).toMatchObject({ status: 0 });
      expect(containers()).toEqual(before);
    },
  );

  it('an update to a version that never becomes ready fails, loses no decode, and leaves the second replica', async () => {
    release('3');
    writeSettings('/nowhere');
    const { status, lost } = await runWhileDecoding(UPDATE);
    expect(status).not.toBe(0);
    expect(lost).toEqual([]);
    expect(versions()).toEqual(['true 3', 'true 2']);
  });

  it('going back loses no decode', async () => {
    writeSettings('/opt/ring/ring');
    await updateToVersion2();
  });
});
