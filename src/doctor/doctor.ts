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

// The self-check: can the service decode here, and does it understand what ring prints? Exit status 0 when it does.
// Shows no value of the license; the report is masked.
const USAGE =
  'Usage: npm run doctor -- [FILE.lic] [--report FILE]   (in the image: doctor …)\n' +
  'With - for FILE: the license from standard input, the report to standard output.';

/** Wrong ones end the process with status 2. */
function readArguments() {
  try {
    const options = { report: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [path, ...more] = positionals;
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (more.length > 0) throw new Error('Only one license can be checked.');
    return { path, report: values.report };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

async function main(): Promise<boolean> {
  const { path, report: reportTo } = readArguments();
  const config = readConfig();
  const file = path === undefined ? undefined : await (path === '-' ? buffer(process.stdin) : readFile(path));
  if (path === '-' && file?.length === 0)
    throw new Error('Standard input is empty: add <FILE.lic, and with docker exec or docker run also -i.');
  let isWritten = false;
  const reportPath = reportTo === '-' ? undefined : reportTo;
  if (reportPath !== undefined) {
    // Before the runs, which take a while. Never overwrites a file, so an empty one must not stay.
    closeSync(openSync(reportPath, 'wx', 0o600));
    process.once('exit', () => isWritten || rmSync(reportPath, { force: true }));
  }
  const work = mkdtempSync(join(tmpdir(), 'doctor-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true, maxRetries: 3 }));
  const findings = new Findings(reportTo === '-' ? console.error : console.log);

  const { versions, ring } = await checkInstallation(config, work, findings);
  const inInstallation = findings.problems.length;
  const runs = ring ? [await runMadeUp(ring, findings)] : [];
  const mask = new Mask();
  let clearText = '';
  const canRun = runs[0]?.failure === undefined;
  if (file && ring && !canRun) findings.note('– the license was not tried: ring does not run');
  if (file && ring && canRun) {
    const license = await runLicense(file, ring, findings);
    runs.push(...license.runs);
    clearText = clearTextOf(file);
    mask.learn(clearText, 'file');
    for (const { stdout, stderr, kind } of runs) {
      mask.learn(stdout, kind);
      mask.learn(stderr, 'log');
    }
    checkFields(file, license.decoded, findings);
  }
  const problems = findings.problems.slice(inInstallation);
  const report =
    reportTo === undefined ? undefined : printReport({ versions, problems, runs, clearText }, mask);
  if (report !== undefined && runs.length > 0) await checkReport(report, problems, findings);
  findings.sum();
  if (file && canRun && problems.length > 0)
    findings.note('Is the file a license? Then open an issue with a report: --report FILE.');
  if (report !== undefined) {
    findings.note(`${reportPath ?? 'The report'}: look through it before you pass it on.`);
    if (reportPath === undefined) process.stdout.write(report);
    else writeFileSync(reportPath, report);
    isWritten = true;
  }
  return findings.problems.length === 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  const { code, path = 'the license', message } = error as NodeJS.ErrnoException;
  const advice = 'Name a license that can be read, a new report, and a writable TMPDIR.';
  console.error(code === undefined ? message : `Cannot use ${path} (${code}). ${advice}`);
  process.exitCode = 1;
}
