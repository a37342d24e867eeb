import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { argumentsOf, outputOf, readInfoText, readList } from '../../dist/ring/commands.js';
import { findInstallation } from '../../dist/ring/installation/installation.js';
import { ClassArchive } from '../../dist/ring/jvm/class-archive.js';
import { run } from '../../dist/ring/run.js';
import { readArguments } from '../arguments.mjs';
import { exitOnSignals, temporaryDirectory } from '../temporary-directory.mjs';

/*
 * Measures how long ring takes to read a license: its three commands one after another, as a script runs them, and as
 * the service runs them, with more and more of its tuning. The ways alternate, so that what else the machine does slows
 * all of them down alike.
 */

const USAGE = 'npm run bench:ring -- [--rounds N] LAUNCHER FILE.lic [JAVA_HOME]…';
const { launcher, file, javaHomes, rounds } = readArguments(
  USAGE,
  { options: { rounds: { type: 'string', default: '15' } }, allowPositionals: true },
  ({ values, positionals: [launcher, file, ...javaHomes] }) => {
    if (file === undefined) throw new Error('Name the launcher of ring and a license that it can read.');
    if (!/^[1-9]\d*$/.test(values.rounds)) throw new Error('--rounds must be a number.');
    return { launcher, file, javaHomes, rounds: Number(values.rounds) };
  },
);
const TIMEOUT_MS = 60_000;

exitOnSignals();
const directory = temporaryDirectory('ld-bench-ring');
const licenses = join(directory, 'licenses');
await mkdir(licenses);
await copyFile(file, join(licenses, 'license.lic'));

/** The ways to read a license on one Java, each as a function, and the versions of what they run. */
async function waysOn(javaHome) {
  const env = javaHome === undefined ? process.env : { ...process.env, JAVA_HOME: javaHome };
  const settings = { command: launcher, module: undefined, language: 'ru', env, jvmTuning: true };
  const basic = await findInstallation({ ...settings, jvmTuning: false });
  const tuned = await findInstallation(settings);
  const { jre, ring, module } = tuned;
  if (!jre.version || !ring.version || module?.problem) {
    throw new Error(`ring does not work with ${javaHome ?? 'the Java on the PATH'}: try npm run doctor`);
  }

  const archive = new ClassArchive({
    ...settings,
    newDirectory: () => mkdtemp(join(directory, 'archive-')),
    exposureOf: async () => undefined,
    log: pino({ level: 'silent' }),
    runInSlot: (task) => task(),
  });
  await archive.prepare(tuned);
  const archiveOptions = await archive.jvmOptions();

  const commandWith = (jvmOptions) => async (command) => {
    const args = argumentsOf(command, module.name, licenses);
    const options = { ...settings, launcher: ring.path, directory, jvmOptions, timeoutMs: TIMEOUT_MS };
    return outputOf(await run(args, options));
  };
  const ways = {
    'one after another': () => readInTurn(commandWith(basic.jvmOptions)),
    'basic options': () => read(commandWith(basic.jvmOptions)),
    options: () => read(commandWith(tuned.jvmOptions)),
  };
  // Java 8 has no such archive.
  if (archiveOptions.length > 0) {
    ways['options and archive'] = () => read(commandWith([...tuned.jvmOptions, ...archiveOptions]));
  }
  return { java: jre.version.text, ring: ring.version.text, ways };
}

async function nameOf(command) {
  const license = readList(await command({ name: 'list' }));
  if (license === undefined) throw new Error(`ring names no license in ${file}.`);
  return license.name;
}

/** As a script does. */
async function readInTurn(command) {
  const license = await nameOf(command);
  checkInfo(await command({ name: 'info', license }));
  await command({ name: 'validate', license });
}

/** As the service does. */
async function read(command) {
  const license = await nameOf(command);
  const [info] = await Promise.all([
    command({ name: 'info', license }),
    command({ name: 'validate', license }),
  ]);
  checkInfo(info);
}

function checkInfo(output) {
  if (readInfoText(output) === undefined) throw new Error(`ring printed no text of ${file}.`);
}

/** Runs the ways in turn. The first round only warms up. @returns the milliseconds of each way */
async function measure(ways) {
  const times = new Map(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const startedAt = performance.now();
      await way();
      if (round > 0) times.get(name).push(performance.now() - startedAt);
    }
  }
  return times;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const HEADINGS = ['Java', 'one after another', 'basic options', 'options', 'options and archive', 'faster'];
console.log(`| ${HEADINGS.join(' | ')} |`);
console.log(`|${' --- |'.repeat(HEADINGS.length)}`);
let ringVersion = '';
for (const javaHome of javaHomes.length > 0 ? javaHomes : [undefined]) {
  const { java, ring, ways } = await waysOn(javaHome);
  const times = await measure(ways);
  const medians = [...times.values()].map(median);
  const columns = HEADINGS.slice(1, -1).map((name) => {
    const values = times.get(name);
    return values ? `${median(values).toFixed(0)} ms` : 'none';
  });
  const gain = medians[0] / medians.at(-1);
  console.log(`| ${[java, ...columns, `${gain.toFixed(2)} x`].join(' | ')} |`);
  ringVersion = ring;
}

const day = new Date().toISOString().slice(0, 10);
console.log(`\nring ${ringVersion}, ${day}, ${availableParallelism()} cores: medians of ${rounds} rounds.`);
