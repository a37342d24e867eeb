import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseJavaVersion } from '../../dist/ring/installation/versions.js';
import { readArguments } from '../arguments.mjs';
import { exitOnSignals, temporaryDirectory } from '../temporary-directory.mjs';
import { formBody, largestProcess, load, send, startService } from './service.mjs';
import { buildRing, makeTimedRing, sealLicense } from './stand-in.mjs';

/*
 * Prints the tables of docs/performance.md, for the system's JRE or for all of /opt/jdks/jre-N. Run it on an idle machine.
 */

const USAGE = 'npm run bench [-- --only decodes,overhead --jre 11,17 --rounds 15]';
const NAMES = ['decodes', 'overhead'];
const options = {
  only: { type: 'string', default: NAMES.join() },
  jre: { type: 'string' },
  rounds: { type: 'string', default: '15' },
};
const settings = readArguments(USAGE, { options }, ({ values }) => {
  const only = values.only.split(',');
  if (!only.every((name) => NAMES.includes(name))) throw new Error(`--only must name ${NAMES.join(' or ')}.`);
  if (!/^[1-9]\d*$/.test(values.rounds)) throw new Error('--rounds must be a number.');
  return { ...values, only };
});
const ROUNDS = Number(settings.rounds);
exitOnSignals();
const directory = temporaryDirectory('ld-bench');

const LICENSE = sealLicense();
const licenses = join(directory, 'licenses');
mkdirSync(licenses);
writeFileSync(join(licenses, 'license.lic'), LICENSE);
const command = (name) => ['license', name, '--path', licenses];
const [LIST, INFO, VALIDATE] = ['list', 'info', 'validate'].map(command);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

/** Prints a Markdown table as Prettier would format it. */
function table(title, header, rows) {
  const widths = header.map((name, i) => Math.max(3, name.length, ...rows.map((row) => row[i].length)));
  const line = (cells) =>
    `| ${cells.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  console.log(`\n${title}\n\n${[header, rule, ...rows].map(line).join('\n')}`);
}

/** Runs a launcher as the service does, and reads what it prints. */
async function run(launcher, args, env) {
  const child = spawn(launcher, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
}

/** As a script decodes: three runs, one after another. */
async function oneByOne(launcher, env) {
  const begin = performance.now();
  for (const args of [LIST, INFO, VALIDATE]) await run(launcher, args, env);
  return performance.now() - begin;
}

/** What a decode takes when nothing but ring takes time. */
async function twoRounds(launcher, env) {
  const begin = performance.now();
  await run(launcher, LIST, env);
  await Promise.all([run(launcher, INFO, env), run(launcher, VALIDATE, env)]);
  return performance.now() - begin;
}

function installedJres() {
  const homes = existsSync('/opt/jdks')
    ? readdirSync('/opt/jdks').filter((name) => /^jre-\d+$/.test(name))
    : [];
  const found = homes.map((name) => ({ JAVA_HOME: join('/opt/jdks', name) }));
  return (found.length > 0 ? found : [{}])
    .map((env) => {
      const java = env.JAVA_HOME ? `${env.JAVA_HOME}/bin/java` : 'java';
      const { text, numbers } = parseJavaVersion(
        execFileSync('sh', ['-c', `${java} -version 2>&1`], { encoding: 'utf8' }),
      );
      return { env, version: text, major: numbers[0] };
    })
    .filter(({ major }) => !settings.jre || settings.jre.split(',').includes(String(major)))
    .sort((a, b) => a.major - b.major);
}

const benches = {
  /** One untuned run after another, as a script would do it, against decodes by the service. */
  async decodes() {
    const launcher = buildRing(directory);
    const body = formBody(LICENSE);
    const rows = [];
    for (const { env, version } of installedJres()) {
      const service = await startService(directory, { RING_CMD: launcher, ...env });
      const decode = () => send(service.port, '/api/decode', body);
      const plainEnv = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env };
      await decode();
      const samples = [[], []];
      for (let i = 0; i < ROUNDS; i++) {
        samples[0].push(await oneByOne(launcher, plainEnv));
        samples[1].push(await decode());
      }
      const [script, served] = samples.map(median);

      let memory = 0;
      const watch = setInterval(() => {
        memory = Math.max(memory, largestProcess(service.work));
      }, 50);
      const before = service.cpu();
      const rate = 16 / (await load(16, 16, decode));
      const cpu = (service.cpu() - before) / 16;
      clearInterval(watch);
      const sizes = [memory, service.memory()].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`);
      const faster = `${(script / served).toFixed(2)} x`;
      rows.push([version, ms(script), ms(served), faster, rate.toFixed(2), ms(cpu), ...sizes]);
      await service.stop();
    }
    const header = [
      'JRE',
      'a script',
      'the service',
      'faster',
      'decodes/s',
      'CPU of a decode',
      'one JVM',
      'Node.js',
    ];
    table(`Median of ${ROUNDS} decodes, then 16 clients on ${availableParallelism()} slots:`, header, rows);
  },

  /** What the service adds to a ring that takes a fixed time, and what a probe costs, which runs no ring. */
  async overhead() {
    const launcher = makeTimedRing(directory);
    const service = await startService(directory, { RING_CMD: launcher, RING_JVM_TUNING: 'off' });
    const added = [];
    for (let i = 0; i < 6 * ROUNDS; i++) {
      const floor = await twoRounds(launcher, { PATH: process.env.PATH });
      added.push((await send(service.port, '/api/decode', formBody(LICENSE))) - floor);
    }
    console.log(
      `\nAdded to two rounds of a ring that takes 0.2 s: ${ms(median(added))}, median of ${added.length}.`,
    );
    const before = service.cpu(false);
    const seconds = await load(16, 20_000, () => send(service.port, '/api/status'));
    const cpu = (service.cpu(false) - before) / 20_000;
    console.log(
      `GET /api/status: ${(20_000 / seconds).toFixed(0)} per second, ${cpu.toFixed(2)} ms of CPU each.`,
    );
    await service.stop();
  },
};

const [{ model }] = cpus();
console.log(
  `${new Date().toJSON().slice(0, 10)}, ${model}, ${availableParallelism()} cores, Node.js ${process.version}`,
);
for (const name of settings.only) await benches[name]();
process.exit(0);
