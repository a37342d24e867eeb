#!/usr/bin/env node
import '../node-version.js';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { readConfig, type Config } from '../config/settings.js';
import { StartError } from '../errors/start-error.js';
import { newProcessId, removeLeftovers } from '../storage/leftovers.js';
import { removeTreeSync } from '../storage/removal.js';
import { Findings } from './findings.js';
import { checkInstallation } from './installation-checks.js';
import { checkClearText, checkDecode, clearTextOf } from './license-checks.js';
import { printReport, type Report } from './report.js';
import type { RingInUse } from './ring-runs.js';
import { RingTrial } from './ring-trial.js';

// The self-check: can the service decode here, and does it understand what ring prints? The exit status is 0 when it
// does. It shows no value of the license, and masks the report.
const USAGE =
  'Usage: npm run doctor -- [FILE.lic] [--report FILE]   (in the image: doctor …)\n' +
  'With - for FILE: the license from standard input, the report to standard output.';

interface Arguments {
  /** The license; `-` is standard input. */
  path: string | undefined;
  /** Where the report goes; `-` is standard output. */
  report: string | undefined;
}

/** Wrong arguments end the process with status 2. */
function readArguments(): Arguments {
  try {
    const { values, positionals } = parseArgs({
      options: {
        report: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (positionals.length > 1) throw new Error('Only one license can be checked.');
    return { path: positionals[0], report: values.report };
  } catch (error) {
    const { message } = error as Error;
    console.error(`${message}\n${USAGE}`);
    process.exit(2);
  }
}

async function readLicense(path: string): Promise<Buffer> {
  if (path !== '-') return readFile(path);

  const file = await buffer(process.stdin);
  if (file.length > 0) return file;
  throw new StartError('Standard input is empty: add <FILE.lic, and with docker exec or docker run also -i.');
}

/** Where the report goes. */
interface Destination {
  name: string;
  write: (report: string) => void;
}

/** @throws {Error} when a file of this name exists, or cannot be written */
function openDestination(path: string): Destination {
  if (path === '-') {
    return { name: 'The report', write: (report) => void process.stdout.write(report) };
  }

  // The runs take a while, so a file that cannot be written shows before them. The file is new and empty now, and must
  // not stay so when the process ends without a report.
  closeSync(openSync(path, 'wx', 0o600));
  let isWritten = false;
  process.once('exit', () => {
    if (!isWritten) rmSync(path, { force: true });
  });

  const write = (report: string) => {
    writeFileSync(path, report);
    isWritten = true;
  };
  return { name: path, write };
}

/**
 * Makes a private directory that is removed when the process exits, and removes those of self-checks that were killed. It
 * is none of the service's: root may run this, and a directory of root would be closed to the service.
 */
async function makeWorkDirectory({ UPLOAD_TIMEOUT_MS, DECODE_TIMEOUT_MS }: Config): Promise<string> {
  const processId = newProcessId();
  const requestMs = UPLOAD_TIMEOUT_MS + DECODE_TIMEOUT_MS;
  await removeLeftovers(tmpdir(), processId, requestMs, pino({ level: 'silent' }));

  const work = mkdtempSync(join(tmpdir(), `doctor-${processId}-`));
  process.once('exit', () => removeTreeSync(work));
  return work;
}

/** Runs ring, if there is one, on a made-up file. If that works, also on the license. Then checks what it printed. */
async function tryRing(
  ring: RingInUse | undefined,
  file: Buffer | undefined,
  findings: Findings,
): Promise<Pick<Report, 'runs' | 'clearText'>> {
  if (ring === undefined) return { runs: [], clearText: '' };

  const trial = new RingTrial(ring, findings);
  const { runs } = trial;
  const canRun = await trial.runMadeUpFile();
  if (file === undefined) return { runs, clearText: '' };

  if (!canRun) {
    findings.note('– the license was not tried: ring does not run');
    return { runs, clearText: '' };
  }

  const problemsBefore = findings.problems.length;
  const decodes = await trial.runLicense(file);
  for (const decode of decodes) checkDecode(decode, findings);
  const clearText = clearTextOf(file);
  checkClearText(clearText, findings);
  if (findings.problems.length > problemsBefore) {
    findings.note('– Is the file a license? Then open an issue with a report: --report FILE.');
  }
  return { runs, clearText };
}

/** @returns whether everything that the service needs is there and understood */
async function main(): Promise<boolean> {
  const { path, report } = readArguments();
  const config = readConfig();
  const file = path === undefined ? undefined : await readLicense(path);
  const destination = report === undefined ? undefined : openDestination(report);
  const work = await makeWorkDirectory(config);

  // A report on standard output must not have the findings among its lines.
  const note = report === '-' ? console.error : console.log;
  const findings = new Findings(note);

  const { versions, ring } = await checkInstallation(config, work, findings);
  const problemsOfInstallation = findings.problems.length;
  const tried = await tryRing(ring, file, findings);
  findings.checkAwk(tried.runs);
  findings.sum();

  if (destination) {
    // The problems of the installation name paths of this machine, which are nobody else's business.
    const problems = findings.problems.slice(problemsOfInstallation);
    destination.write(printReport({ versions, problems, ...tried }));
    findings.note(`${destination.name}: look through it before you pass it on.`);
  }
  return findings.problems.length === 0;
}

// Exiting removes the work directory and an unfinished report.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(1));
}

try {
  const isGood = await main();
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  const { code, path = 'the license', message, stack = message } = error as NodeJS.ErrnoException;
  if (error instanceof StartError) {
    console.error(message);
  } else if (code === undefined) {
    // This is a bug, so its place in the code is shown.
    console.error(stack);
  } else {
    const advice = 'Name a license that can be read, a new report, and a writable TMPDIR.';
    console.error(`Cannot use ${path} (${code}). ${advice}`);
  }
  process.exitCode = 1;
}
