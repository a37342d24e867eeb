import { readFile } from 'node:fs/promises';
import { Findings } from '../dist/doctor/findings.js';
import { replay } from '../dist/doctor/replay.js';
import { fileError, readArguments } from './arguments.mjs';

/*
 * Prints what the parsers understand of the outputs in a report of the self-check. The exit status is 0 when they
 * understand everything.
 */
const path = readArguments('npm run replay -- REPORT', { allowPositionals: true }, ({ positionals }) => {
  if (positionals.length !== 1) throw new Error('One report is needed.');
  return positionals[0];
});
try {
  const report = await readFile(path, 'utf8').catch((error) => {
    throw fileError(error, `${path} cannot be read`, 'Name a report that this user may read.');
  });

  const findings = new Findings(console.log);
  replay(report, findings);
  findings.sum();
  process.exitCode = findings.problems.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
