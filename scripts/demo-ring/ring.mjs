import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeComputer, thisComputer } from './computer.mjs';
import { openPermit } from './permit.mjs';
import { textsFor } from './texts.mjs';

/*
 * A stand-in for 1C's ring, for trying the service without it. It speaks ring's command line, but it is
 * not ring: it knows only the made-up licence files of permit.mjs and decodes no real licence.
 */

const VERSION = '0.19.5-12';
const texts = textsFor(process.env.RING_OPTS);

/** A command that ring turns down; the lines go to stdout, as ring's do. */
class Refusal extends Error {
  constructor(lines) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Lines for stdout: ring mixes its log records with its answers. */
const output = [];
let debugWanted = false;

function log(level, ...lines) {
  if (level === 'DEBUG' && !debugWanted) return;
  const [first, ...more] = lines;
  output.push(`[${level.padEnd(6)}] com._1c.license.activator.${first}`, ...more);
}

function logUnreadableDisk() {
  log(
    'WARN',
    'internal.hard.SystemFiles - Cannot read disk info. File "/sys/block/vda/device/model" not found.',
  );
}

function logOpened({ pin, previousPin, computer, customer, product }) {
  const { firstName, lastName } = texts.customerKeys;
  log(
    'DEBUG',
    'crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : ',
    ...describeComputer(computer),
    'Customer info : ',
    `${firstName} : ${customer.firstName}`,
    `${lastName} : ${customer.lastName}`,
    `pin : ${pin}`,
    `previous pin : ${previousPin}`,
    `serial : ${product.registrationNumber}`,
  );
}

/** The names of the licence files in the directory. */
async function scan(directory) {
  log('DEBUG', `ring.LicenseStorage - scan ${directory}`);
  const files = await readdir(directory).catch(() => {
    throw new Refusal(texts.noDirectory(directory));
  });
  return files.filter((file) => /\.lic$/i.test(file)).sort();
}

/** Opens the licences; a file that can't be opened leaves only a log record. */
async function openAll(directory, files) {
  const licenses = [];
  for (const file of files) {
    try {
      const permit = openPermit(await readFile(join(directory, file), 'utf8'));
      logOpened(permit);
      licenses.push({ name: `${permit.pin}-${permit.product.registrationNumber}`, file, permit });
    } catch {
      log('ERROR', `ring.LicenseStorage - Cannot decode the license file "${file}".`);
    }
  }
  return licenses;
}

async function openLicense({ path, name }) {
  const licenses = await openAll(path, await scan(path));
  const license = licenses.find((candidate) => candidate.name === name);
  if (!license) throw new Refusal(texts.unknownLicense);
  return license;
}

function section(title, keys, values) {
  const present = Object.entries(keys).filter(([key]) => values[key]);
  return [title, ...present.map(([key, label]) => `    ${label}: ${values[key]}`)];
}

/** ring's licence commands: the options each needs, and what it does. */
const COMMANDS = {
  list: {
    options: ['path'],
    run: async ({ path }) => {
      const files = await scan(path);
      logUnreadableDisk();
      const lines = (await openAll(path, files)).map(({ name, file }) => `${name} ${texts.file(file)}`);
      output.push(...(lines.length > 0 ? lines : ['']));
    },
  },
  info: {
    options: ['path', 'name'],
    run: async (options) => {
      const { customer, product } = (await openLicense(options)).permit;
      output.push(
        ...section(texts.customer, texts.customerKeys, customer),
        ...section(texts.product, texts.productKeys, product),
      );
    },
  },
  validate: {
    options: ['path', 'name'],
    run: async (options) => {
      const { name, permit } = await openLicense(options);
      logUnreadableDisk();
      const computer = thisComputer();
      const [first, ...more] = describeComputer(computer);
      log('DEBUG', `hard.HardInfo - computer info : ${first}`, ...more, '');
      // ring compares more; one parameter is enough to show both verdicts.
      const [bound, current] = [permit.computer['Computer name'], computer['Computer name']];
      if (bound && bound !== current) throw new Refusal(texts.mismatch(bound, current));
      output.push(...texts.fits(name));
    },
  },
};

/** Reads the options and no operands; a fault in them is a refusal. */
function readOptions(args, names, short = {}) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string', ...short }]));
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Refusal([`${texts.usage}: ${error.message}`]);
  }
}

async function main(args) {
  if (args.length === 1 && args[0] === '--version') {
    output.push(VERSION);
    return;
  }
  // Options of ring itself stand before the module's name, those of its commands after.
  const at = args.indexOf('license');
  if (at === -1 || !Object.hasOwn(COMMANDS, args[at + 1] ?? '')) {
    throw new Refusal([`${texts.usage}: ring ${args.join(' ')}`]);
  }
  const command = COMMANDS[args[at + 1]];
  debugWanted = readOptions(args.slice(0, at), ['level'], { short: 'l' }).level === 'debug';
  const options = readOptions(args.slice(at + 2), [...command.options, 'send-statistics']);
  const missing = command.options.filter((name) => options[name] === undefined);
  if (missing.length > 0) throw new Refusal([`${texts.usage}: --${missing.join(', --')}`]);
  await command.run(options);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  output.push(...error.lines);
  process.exitCode = 1;
}
process.stdout.write(`${output.join('\n')}\n`);
