#!/usr/bin/env node
import '../config/node-version.js';
import { rmSync } from 'node:fs';
import { mkdtemp, open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/settings.js';
import { readableLines } from '../license/clear-text.js';
import { FILE_LABELS } from '../license/file-fields.js';
import { Findings } from './findings.js';
import { checkInstallation } from './installation-checks.js';
import { checkFields, runLicense } from './license-checks.js';
import { Mask } from './mask.js';

/*
 * The self-check: can the service decode here, and does it understand what ring prints? Exit status 0 when it does.
 * Shows no value of the license; the report is masked.
 */
const USAGE =
  'Usage: npm run doctor -- [FILE.lic] [--report FILE]   (in the image: doctor …)\n' +
  'With - for FILE: the license from standard input, the report to standard output.';

async function main(work: string): Promise<boolean> {
  const { values, positionals } = parseArgs({
    options: { report: { type: 'string' } },
    allowPositionals: true,
  });
  const [path, ...more] = positionals;
  if (more.length > 0) throw new Error(USAGE);
  const config = readConfig();
  const file = path === undefined ? undefined : await (path === '-' ? buffer(process.stdin) : readFile(path));
  const toStdout = values.report === '-';
  // Before the runs, which take a while; never overwrites a file.
  const report = values.report === undefined || toStdout ? undefined : await open(values.report, 'wx', 0o600);
  const findings = new Findings(toStdout ? console.error : console.log);

  const { versions, setup, runs } = await checkInstallation(config, work, findings);
  const inInstallation = findings.problems.length;
  const mask = new Mask();
  let clearText = '';
  if (file && setup) {
    const license = await runLicense(file, setup, findings);
    runs.push(...license.runs);
    clearText = readableLines(file, (label) => FILE_LABELS.includes(label)).join('\n');
    mask.learn(clearText, 'file');
    for (const { stdout, stderr, kind } of runs) {
      mask.learn(stdout, kind);
      mask.learn(stderr, 'log');
    }
    checkFields(file, license.decoded, mask, findings);
  }
  const { problems } = findings;
  findings.note(problems.length === 0 ? 'Everything is fine.' : `Problems: ${problems.length}, see ✗.`);
  if (problems.length > inInstallation)
    findings.note('Is the file a license? Then open an issue with a report: --report FILE.');
  if (values.report !== undefined) {
    const text = [
      versions.join(', '),
      ...problems.slice(inInstallation),
      ...runs.flatMap((run, i) => [
        `\n== ${run.title}: ${run.outcome}`,
        run.stdout === runs[i - 1]?.stdout ? '(the same output)' : mask.text(run.stdout.trimEnd(), run.kind),
        ...(run.stderr === '' ? [] : ['-- stderr', mask.text(run.stderr.trimEnd(), 'log')]),
      ]),
      ...(clearText === '' ? [] : ['\n== clear text of the file', mask.text(clearText, 'file')]),
      '\nLook through this file before you pass it on.\n',
    ].join('\n');
    if (report) await report.writeFile(text);
    else process.stdout.write(text);
    await report?.close();
    findings.note(`${report ? values.report : 'The report'}: look through it before you pass it on.`);
  }
  return problems.length === 0;
}

const work = await mkdtemp(join(tmpdir(), 'doctor-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  process.exitCode = (await main(work)) ? 0 : 1;
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(code?.startsWith('ERR_PARSE_ARGS') ? `${message}\n${USAGE}` : message);
  process.exitCode = 1;
}
