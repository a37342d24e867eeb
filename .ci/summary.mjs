import { readFileSync } from 'node:fs';

/*
 * Prints the failed tests of vitest's JSON reports, and as the last line how many tests passed, failed and were skipped.
 * The exit status is 1 when a test failed or was skipped, and when a report is missing.
 *
 * Usage: node .ci/summary.mjs REPORT…
 */

let passed = 0;
let failed = 0;
let skipped = 0;

function printFailure(title, details) {
  console.log(`FAILED: ${title}\n${details}`);
}

function addReport(report) {
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests;

  for (const { name: file, message, assertionResults } of report.testResults) {
    // A file that could not be loaded has a message, but no tests.
    if (message) {
      printFailure(file, message);
      failed += 1;
    }
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') printFailure(`${file}: ${fullName}`, failureMessages.join('\n'));
    }
  }
}

for (const path of process.argv.slice(2)) {
  try {
    addReport(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    printFailure(path, `vitest wrote no report: ${error.message}`);
    failed += 1;
  }
}

console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || skipped > 0 ? 1 : 0;
