#!/usr/bin/env node
import '../node-version.js';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/settings.js';
import { Findings } from './findings.js';
import { checkInstallation, runMadeUp } from './installation-checks.js';
import { checkFields, clearTextOf, runLicense } from './license-checks.js';
import { Mask } from './mask.js';
import { checkReport } from './replay.js';
import { printReport } from './report.js';
import type { ReportedRun, RingInUse } from './ring-runs.js';

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
  const options = { report: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (positionals.length > 1) throw new Error('Only one license can be checked.');
    return { path: positionals[0], report: values.report };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

async function readLicense(path: string): Promise<Buffer> {
  if (path !== '-') return readFile(path);

  const file = await buffer(process.stdin);
  if (file.length > 0) return file;
  throw new Error('Standard input is empty: add <FILE.lic, and with docker exec or docker run also -i.');
}

/** Where the report goes. */
interface Destination {
  name: string;
  write: (report: string) => void;
}

/** @throws {Error} when a file of this name exists, or cannot be written */
function openDestination(path: string): Destination {
  if (path === '-') return { name: 'The report', write: (report) => void process.stdout.write(report) };

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

/** Makes a private directory that is removed when the process exits. */
function makeWorkDirectory(): string {
  const work = mkdtempSync(join(tmpdir(), 'doctor-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true, maxRetries: 3 }));
  return work;
}

/** The runs of ring, and what they have shown. */
interface Tried {
  runs: ReportedRun[];
  /** Empty when no license was tried, or when it has none. */
  clearText: string;
  mask: Mask;
  /** Whether ring runs on a made-up file. */
  canRun: boolean;
}

/** Runs ring, if there is one, on a made-up file, and if that works on the license. */
async function tryRing(
  ring: RingInUse | undefined,
  file: Buffer | undefined,
  findings: Findings,
): Promise<Tried> {
  const tried: Tried = { runs: [], clearText: '', mask: new Mask(), canRun: false };
  if (!ring) return tried;

  const madeUp = await runMadeUp(ring, findings);
  tried.runs.push(madeUp);
  tried.canRun = madeUp.failure === undefined;
  if (file === undefined) return tried;
  if (!tried.canRun) {
    findings.note('– the license was not tried: ring does not run');
    return tried;
  }

  const license = await runLicense(file, ring, findings);
  checkFields(file, license.decoded, findings);
  tried.runs.push(...license.runs);
  tried.clearText = clearTextOf(file);

  tried.mask.learn(tried.clearText, 'file');
  for (const { stdout, stderr, kind } of tried.runs) {
    tried.mask.learn(stdout, kind);
    tried.mask.learn(stderr, 'log');
  }
  return tried;
}

/** @returns whether everything that the service needs is there and understood */
async function main(): Promise<boolean> {
  const { path, report: reportPath } = readArguments();
  const config = readConfig();
  const file = path === undefined ? undefined : await readLicense(path);
  const destination = reportPath === undefined ? undefined : openDestination(reportPath);
  const work = makeWorkDirectory();
  const findings = new Findings(reportPath === '-' ? console.error : console.log);

  const { versions, ring } = await checkInstallation(config, work, findings);
  const problemsOfInstallation = findings.problems.length;
  const { runs, clearText, mask, canRun } = await tryRing(ring, file, findings);
  const problems = findings.problems.slice(problemsOfInstallation);

  const report = printReport({ versions, problems, runs, clearText }, mask);
  if (destination && runs.length > 0) await checkReport(report, problems, findings);
  findings.sum();
  if (file && canRun && problems.length > 0) {
    findings.note('Is the file a license? Then open an issue with a report: --report FILE.');
  }
  if (destination) {
    findings.note(`${destination.name}: look through it before you pass it on.`);
    destination.write(report);
  }
  return findings.problems.length === 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
try {
  const isGood = await main();
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  const { code, path = 'the license', message } = error as NodeJS.ErrnoException;
  if (code === undefined) {
    console.error(message);
  } else {
    const advice = 'Name a license that can be read, a new report, and a writable TMPDIR.';
    console.error(`Cannot use ${path} (${code}). ${advice}`);
  }
  process.exitCode = 1;
}
