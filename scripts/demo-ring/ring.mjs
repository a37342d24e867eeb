import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { textsFor } from './texts.mjs';

/*
 * A stand-in for 1C's ring, for trying the service without it. It takes ring's commands and prints ring's
 * texts, but it is not ring: it knows only the made-up files in samples/ and decodes no real license.
 */

/** The mark in the version makes the status, the log and the page show that this is not ring. */
const VERSION = '0.19.5-12-stand-in';
const texts = textsFor(process.env.RING_OPTS);

/** A command that ring rejects; it prints the lines on stdout and exits with status 1. */
class Rejection extends Error {
  constructor(...lines) {
    super();
    this.lines = lines;
  }
}

const output = [];
let debug = false;

/** Adds a log record to the output, because ring prints its log on stdout too. */
function log(level, first, ...more) {
  if (level === 'DEBUG' && !debug) return;
  output.push(`[${level.padEnd(6)}] com._1c.license.activator.${first}`, ...more);
}

/** What Node can tell about this machine without special rights. */
function thisComputer() {
  const adapters = [];
  for (const [name, addresses] of Object.entries(os.networkInterfaces())) {
    const outside = addresses.find(({ internal }) => !internal);
    if (outside?.mac) adapters.push(`${name}, MAC ${outside.mac.toUpperCase()}`);
  }
  return {
    'OS name': os.type(),
    'OS version': os.release(),
    'Computer name': os.hostname(),
    Motherboard: '',
    RAM: String(os.totalmem()),
    Processor: os.cpus()[0]?.model ?? '',
    'Network adapter': adapters,
  };
}

/** A line for each value. Some parameters have a list of values. */
function describeComputer(computer) {
  const lines = [];
  for (const [name, valueOrValues] of Object.entries(computer)) {
    for (const value of [valueOrValues].flat()) lines.push(`${name} : ${value}`);
  }
  return lines;
}

/**
 * Reads a demo license: a permit as JSON in Base64, then clear text. `sed '/[^A-Za-z0-9+/=]/,$d' FILE | base64 -d`
 * shows the permit, `base64 -w 76` makes one. A real license has an encrypted permit instead, so this throws for it.
 */
function parseLicense(text) {
  const [base64] = /^(?:[A-Za-z0-9+/]+=*\r?\n)*/.exec(text);
  const permit = JSON.parse(Buffer.from(base64, 'base64').toString());
  const isBound = permit.computer['Computer name'] !== undefined;
  if (isBound) return permit;

  // A sample without a computer name is bound to the machine that decodes it.
  const computer = { ...thisComputer(), ...permit.computer };
  return { ...permit, computer };
}

async function findLicenseFiles(directory) {
  log('DEBUG', `ring.LicenseStorage - scan ${directory}`);
  const files = await readdir(directory).catch(() => {
    throw new Rejection(...texts.noDirectory(directory));
  });
  return files.filter((file) => /\.lic$/i.test(file)).sort();
}

/** Opens all licenses in a directory; other files leave only a log record. */
async function openLicenses(directory) {
  const licenses = [];
  for (const file of await findLicenseFiles(directory)) {
    try {
      const license = parseLicense(await readFile(join(directory, file), 'utf8'));
      const { pin, previousPin, computer, customer, product } = license;
      const name = `${pin}-${product.registrationNumber}`;
      const person = texts.customerLabels.filter(([key]) => key === 'firstName' || key === 'lastName');
      log(
        'DEBUG',
        'crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : ',
        ...describeComputer(computer),
        'Customer info : ',
        ...person.map(([key, label]) => `${label} : ${customer[key]}`),
        `pin : ${pin}`,
        `previous pin : ${previousPin}`,
        `serial : ${product.registrationNumber}`,
      );
      licenses.push({ ...license, name, file });
    } catch {
      log('ERROR', `ring.LicenseStorage - Cannot decode the license file "${file}".`);
    }
  }
  return licenses;
}

async function openLicense({ path, name }) {
  const licenses = await openLicenses(path);
  const license = licenses.find((candidate) => candidate.name === name);
  if (!license) throw new Rejection(...texts.unknownLicense);
  return license;
}

function logUnreadableDisk() {
  const file = '/sys/block/vda/device/model';
  log('WARN', `internal.hard.SystemFiles - Cannot read disk info. File "${file}" not found.`);
}

function printSection(header, labels, values) {
  output.push(`${header}:`);
  for (const [key, label] of labels) {
    const value = values[key];
    if (label && value) output.push(`    ${label}: ${value}`);
  }
}

const COMMANDS = {
  async list({ path }) {
    const licenses = await openLicenses(path);
    logUnreadableDisk();
    for (const { name, file } of licenses) {
      output.push(`${name} ${texts.file(file)}`);
    }
    if (licenses.length === 0) output.push('');
  },

  async info(options) {
    const { customer, product, otherSections = {} } = await openLicense(options);
    printSection(texts.customerHeader, texts.customerLabels, customer);
    printSection(texts.productHeader, texts.productLabels, product);
    for (const [header, values] of Object.entries(otherSections)) {
      const labels = Object.keys(values).map((label) => [label, label]);
      printSection(header, labels, values);
    }
  },

  async validate(options) {
    const { name, computer } = await openLicense(options);
    logUnreadableDisk();
    const machine = thisComputer();
    const [first, ...more] = describeComputer(machine);
    log('DEBUG', `hard.HardInfo - computer info : ${first}`, ...more, '');
    // ring compares more parameters. One is enough to show both verdicts.
    const bound = computer['Computer name'];
    const current = machine['Computer name'];
    if (bound !== current) throw new Rejection(...texts.mismatch(bound, current));
    output.push(texts.fits(name));
  },
};

function parseOptions(args, options) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Rejection(`${texts.usage}: ${error.message}`);
  }
}

/** The options of a command of the module. @throws {Rejection} when one is unknown or missing */
function commandOptions(command, args) {
  const required = command === 'list' ? ['path'] : ['path', 'name'];
  const known = {};
  for (const name of [...required, 'send-statistics']) {
    known[name] = { type: 'string' };
  }

  const options = parseOptions(args, known);
  const missing = required.filter((name) => options[name] === undefined);
  if (missing.length > 0) throw new Rejection(`${texts.usage}: --${missing.join(', --')}`);
  return options;
}

async function main(args) {
  const isForVersion = args.length === 1 && args[0] === '--version';
  if (isForVersion) {
    output.push(VERSION);
    return;
  }

  const module = args.indexOf('license');
  const command = args[module + 1] ?? '';
  const isKnown = module !== -1 && Object.hasOwn(COMMANDS, command);
  if (!isKnown) throw new Rejection(`${texts.usage}: ring ${args.join(' ')}`);

  // Options of ring itself come before the module, those of a command after it.
  const ringArgs = args.slice(0, module);
  const { level } = parseOptions(ringArgs, { level: { type: 'string', short: 'l' } });
  debug = level === 'debug';

  const options = commandOptions(command, args.slice(module + 2));
  await COMMANDS[command](options);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Rejection)) throw error;
  output.push(...error.lines);
  process.exitCode = 1;
}
process.stdout.write(`${output.join('\n')}\n`);
