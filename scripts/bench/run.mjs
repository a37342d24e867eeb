import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  formBody,
  LICENSE,
  load,
  median,
  processesBelow,
  quantile,
  send,
  sendUntilAnswered,
  startService,
} from './service.mjs';
import { buildJvmRing, makeSlowRing } from './stand-in.mjs';

/*
 * Measures what docs/performance.md says, as ratios of what was run side by side:
 *
 *   npm run bench [-- --only runs,decode,floor,probes,refusals,growth,replicas] [--rounds 15]
 *
 * The machine should have nothing else to do.
 */

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, rounds: { type: 'string', default: '15' } },
});
const ROUNDS = Number(options.rounds);
const directory = mkdtempSync(join(tmpdir(), 'ld-bench-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const jvmRing = buildJvmRing(directory);
const licenses = join(directory, 'licenses');
mkdirSync(licenses);
writeFileSync(join(licenses, 'license.lic'), LICENSE);
const NAME = '332588056123456-8100123456';
const PATH_OPTIONS = ['--path', licenses, '--send-statistics', 'false'];
const LIST = ['license', 'list', ...PATH_OPTIONS];
const INFO = ['license', 'info', '--name', NAME, ...PATH_OPTIONS];
const VALIDATE = ['license', 'validate', '--name', NAME, ...PATH_OPTIONS];
const DEBUG = ['-l', 'debug', ...VALIDATE];

function table(title, header, rows) {
  const widths = header.map((name, i) => Math.max(name.length, ...rows.map((row) => String(row[i]).length)));
  const line = (cells) =>
    `| ${cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join(' | ')} |`;
  console.log(
    `\n${title}\n\n${line(header)}\n| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n${rows.map(line).join('\n')}`,
  );
}
const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const times = (value) => `${value.toFixed(2)} x`;

/** Runs a launcher by hand. Returns wall time and the CPU time of its whole tree, in milliseconds. */
async function runByHand(launcher, args, ringOpts = '') {
  // The shell adds up what its children used; its own start is in both sides of every comparison.
  const script = '"$@" >/dev/null 2>&1; times';
  const begin = performance.now();
  const child = spawn('/bin/sh', ['-c', script, 'sh', launcher, ...args], {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', RING_OPTS: ringOpts },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  await once(child, 'close');
  const wall = performance.now() - begin;
  const cpu = [...output.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(2)
    .reduce((sum, [, m, s]) => sum + (Number(m) * 60 + Number(s)) * 1000, 0);
  return { wall, cpu };
}

/** One untuned run after another, as peers do. */
async function oneAfterAnother(commands) {
  const begin = performance.now();
  for (const command of commands) await runByHand(jvmRing, command);
  return performance.now() - begin;
}

/** The options that the service passes, taken from the service itself. */
async function tunedOptions() {
  const spy = join(directory, 'spy');
  const seen = join(directory, 'seen');
  writeFileSync(
    spy,
    `#!/bin/sh\ncase "$*" in *list*) echo "$RING_OPTS" >>${seen} ;; esac\nexec ${jvmRing} "$@"\n`,
    { mode: 0o755 },
  );
  // The spy has an archive of its own, but the same jars in it.
  const service = await startService(directory, { RING_CMD: spy });
  await service.archived();
  await send(service.port, '/api/decode', formBody(LICENSE));
  await service.stop();
  const all = readFileSync(seen, 'utf8')
    .trim()
    .split('\n')
    .at(-1)
    .replace(/ -Djava\.io\.tmpdir=\S+/, '');
  return { archived: all, optionsOnly: all.replace(/ -XX:SharedArchiveFile=\S+/, '') };
}

const benches = {
  /** Points 1 and 2: options, and the archive, on one run. */
  async runs() {
    const { archived, optionsOnly } = await tunedOptions();
    const variants = { untuned: '', 'tuned options': optionsOnly, 'options and archive': archived };
    const results = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
    for (let i = 0; i < ROUNDS; i++) {
      for (const [name, ringOpts] of Object.entries(variants))
        results[name].push(await runByHand(jvmRing, INFO, ringOpts));
    }
    const wall = (name) => median(results[name].map((result) => result.wall));
    const cpu = (name) => median(results[name].map((result) => result.cpu));
    table(
      `One run of info, median of ${ROUNDS}`,
      ['', 'wall', 'faster', 'CPU', 'less CPU'],
      Object.keys(variants).map((name) => [
        name,
        ms(wall(name)),
        times(wall('untuned') / wall(name)),
        ms(cpu(name)),
        times(cpu('untuned') / cpu(name)),
      ]),
    );
  },

  /** Point 3: whole decodes against the peers' way. */
  async decode() {
    const service = await startService(directory, { RING_CMD: jvmRing });
    await service.archived();
    const decode = (detailed) => send(service.port, '/api/decode', formBody(LICENSE, { detailed }));
    const untuned = await startService(directory, { RING_CMD: jvmRing, RING_JVM_TUNING: 'off' });
    const samples = { three: [], four: [], plain: [], detailed: [], off: [] };
    for (let i = 0; i < ROUNDS; i++) {
      samples.three.push(await oneAfterAnother([LIST, INFO, VALIDATE]));
      samples.plain.push((await decode(false)).ms);
      samples.off.push((await send(untuned.port, '/api/decode', formBody(LICENSE))).ms);
      samples.four.push(await oneAfterAnother([LIST, INFO, VALIDATE, DEBUG]));
      samples.detailed.push((await decode(true)).ms);
    }
    const rates = [];
    for (let i = 0; i < 3; i++) {
      const { seconds } = await load(
        16,
        (sent) => sent < 16,
        () => decode(false),
      );
      rates.push(16 / seconds);
    }
    await Promise.all([service.stop(), untuned.stop()]);
    const m = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]));
    const serial = 1000 / m.three;
    table(
      `Whole decodes, median of ${ROUNDS}`,
      ['', 'by the service', "peers' way", 'faster'],
      [
        ['list, info, validate', ms(m.plain), ms(m.three), times(m.three / m.plain)],
        ['the same, RING_JVM_TUNING=off', ms(m.off), ms(m.three), times(m.three / m.off)],
        ['detailed', ms(m.detailed), ms(m.four), times(m.four / m.detailed)],
        [
          '16 at once',
          `${median(rates).toFixed(2)} /s`,
          `${serial.toFixed(2)} /s`,
          times(median(rates) / serial),
        ],
      ],
    );
  },

  /** Point 4: what the service adds to ring's own time, and whether it grows. */
  async floor() {
    const delays = { list: 0.2, info: 0.15, validate: 0.2 };
    const slowRing = makeSlowRing(directory, delays);
    const service = await startService(directory, { RING_CMD: slowRing, RING_JVM_TUNING: 'off' });
    const body = formBody(LICENSE);
    const added = [];
    for (let i = 0; i < 6 * ROUNDS; i++) {
      const list = (await runByHand(slowRing, LIST)).wall;
      const begin = performance.now();
      await Promise.all([runByHand(slowRing, INFO), runByHand(slowRing, VALIDATE)]);
      const byHand = list + performance.now() - begin;
      added.push((await send(service.port, '/api/decode', body)).ms - byHand);
    }
    await service.stop();
    const third = Math.floor(added.length / 3);
    table(
      `What the service adds to list + max(info, validate) of a fixed time, ${added.length} decodes`,
      ['', 'median', 'p90'],
      [
        ['all', ms(median(added)), ms(quantile(added, 0.9))],
        ['the first third', ms(median(added.slice(0, third))), ms(quantile(added.slice(0, third), 0.9))],
        ['the last third', ms(median(added.slice(-third))), ms(quantile(added.slice(-third), 0.9))],
      ],
    );
  },

  /** Point 5: probes against a bare route. */
  async probes() {
    const service = await startService(directory, { RING_CMD: jvmRing, RING_JVM_TUNING: 'off' });
    await send(service.port, '/api/status');
    const bareServer = spawn(process.execPath, [join(import.meta.dirname, 'bare-express.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const [data] = await once(bareServer.stdout, 'data');
    const barePort = Number(String(data));
    const rate = async (port) => {
      const { results, seconds } = await load(
        16,
        (_sent, elapsed) => elapsed < 1500,
        () => send(port, '/api/status'),
      );
      return results.length / seconds;
    };
    await rate(barePort);
    await rate(service.port);
    const rates = { bare: [], service: [] };
    for (let i = 0; i < 5; i++) {
      rates.bare.push(await rate(barePort));
      rates.service.push(await rate(service.port));
    }
    bareServer.kill();
    await service.stop();
    table(
      'Probes, 16 clients, median of 5',
      ['', 'requests a second', 'of the bare route'],
      [
        ['a bare Express route', median(rates.bare).toFixed(0), ''],
        [
          '/api/status',
          median(rates.service).toFixed(0),
          (median(rates.service) / median(rates.bare)).toFixed(2),
        ],
      ],
    );
  },

  /** Point 6: what a refusal costs while 5 MB are sent. */
  async refusals() {
    const service = await startService(directory, {
      RING_CMD: jvmRing,
      RING_JVM_TUNING: 'off',
      RATE_LIMIT_MAX: '0',
    });
    const body = formBody(Buffer.alloc(5_200_000, 'x'));
    const cost = async (count, refuse, payload) => {
      const before = { cpu: service.cpu(), written: service.written() };
      for (let i = 0; i < count; i++) {
        const { status } = await refuse(service.port, '/api/decode', payload);
        if (status !== 429) throw new Error(`expected 429, got ${status}`);
      }
      await sleep(500);
      const written = (service.written() - before.written) / count;
      return { cpu: ((service.cpu() - before.cpu) * 1000) / count, written };
    };
    const first = await cost(10, send, body);
    await cost(200, sendUntilAnswered, body);
    const large = await cost(400, sendUntilAnswered, body);
    const small = await cost(400, sendUntilAnswered, formBody(LICENSE));
    const files = readdirSync(service.uploads, { recursive: true }).filter(
      (name) => name.includes('/') && !name.endsWith('alive'),
    ).length;
    await service.stop();
    table(
      'A 429, mean of 400 (the first ten: of 10)',
      ['the client sends', 'CPU of the service', 'written (log and answer)', 'files'],
      [
        ['5.2 MB', ms(large.cpu), `${large.written.toFixed(0)} B`, files],
        ['5.2 MB, the first ten refusals of a client', ms(first.cpu), `${first.written.toFixed(0)} B`, files],
        ['3 kB', ms(small.cpu), `${small.written.toFixed(0)} B`, files],
      ],
    );
  },

  /** Point 7: growth with clients. */
  async growth() {
    const rows = [];
    const service = await startService(directory, { RING_CMD: jvmRing });
    await service.archived();
    for (const clients of [1, 2, 4, 8, 16, 32, 64])
      rows.push(await measure(String(clients), service.port, clients, [service]));
    await service.stop();
    table(
      `Growth with clients, ${availableParallelism()} cores, ${availableParallelism()} slots, one replica`,
      MEASURED,
      rows,
    );
  },

  /** Point 7: growth with replicas behind nginx, with Redis, on one machine. */
  async replicas() {
    const redisPort = await freePort();
    const redis = spawn('redis-server', ['--port', String(redisPort), '--save', ''], { stdio: 'ignore' });
    await sleep(500);
    const rows = [];
    for (const count of [1, 2, 3]) {
      const settings = { RING_CMD: jvmRing, REDIS_URL: `redis://127.0.0.1:${redisPort}` };
      const services = await Promise.all(
        Array.from({ length: count }, () => startService(directory, settings)),
      );
      for (const service of services) await service.archived();
      const nginx = await startNginx(services.map(({ port }) => port));
      rows.push(await measure(`${count}`, nginx.port, 16, services));
      nginx.process.kill();
      await Promise.all(services.map((service) => service.stop()));
    }
    redis.kill();
    table(
      'Growth with replicas behind nginx, with Redis, 16 clients, on one machine',
      ['replicas', ...MEASURED.slice(1)],
      rows,
    );
  },
};

const MEASURED = [
  'clients',
  'decodes a second',
  'p50',
  'p99',
  'memory of Node.js',
  'processes of ring',
  'their memory',
];
/** Milliseconds of load for each row. */
const LOAD_MS = 12_000;

async function measure(name, port, clients, services) {
  const body = formBody(LICENSE);
  const work = services.map((service) => service.work);
  const most = { count: 0, memory: 0 };
  const watch = setInterval(() => {
    const { count, memory } = processesBelow(work);
    most.count = Math.max(most.count, count);
    most.memory = Math.max(most.memory, memory);
  }, 150);
  const { results, seconds } = await load(
    clients,
    (_sent, elapsed) => elapsed < LOAD_MS,
    () => send(port, '/api/decode', body),
  );
  clearInterval(watch);
  const failed = results.filter(({ status }) => status !== 200).length;
  if (failed > 0) console.log(`${name}: ${failed} requests were not answered 200`);
  const latencies = results.map((result) => result.ms);
  const memory = services.reduce((sum, service) => sum + service.memory(), 0);
  const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  return [
    name,
    (results.length / seconds).toFixed(2),
    ms(median(latencies)),
    ms(quantile(latencies, 0.99)),
    mb(memory),
    most.count,
    mb(most.memory),
  ];
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** nginx with the shipped configuration, in which only addresses and paths are exchanged. */
async function startNginx(upstreams) {
  const port = await freePort();
  const own = mkdtempSync(join(directory, 'nginx-'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${own}/${name};`)
    .join('\n');
  const servers = upstreams.map((upstream) => `server 127.0.0.1:${upstream};`).join('\n');
  const config = readFileSync(resolve(import.meta.dirname, '../../docs/deploy/nginx.conf'), 'utf8')
    .replace(/(\s*server license-decoder-\d:3000[^;]*;)+/, `\n${servers}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('pid /run/nginx.pid;', `pid ${own}/nginx.pid;`)
    .replace('http {', `http {\n${paths}`);
  writeFileSync(join(own, 'nginx.conf'), config);
  const user = process.getuid() === 0 ? ' user root;' : '';
  const child = spawn('nginx', ['-c', join(own, 'nginx.conf'), '-p', own, '-g', `daemon off;${user}`], {
    stdio: 'ignore',
  });
  await sleep(500);
  return { port, process: child };
}

const java = execFileSync('sh', ['-c', 'java -version 2>&1 | head -1'], { encoding: 'utf8' }).trim();
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus()[0].model}, ${availableParallelism()} cores, Node.js ${process.version}, ${java}`,
);
for (const name of options.only?.split(',') ?? Object.keys(benches)) await benches[name]();
process.exit(0);
