import type { Findings } from './findings.js';
import { checkLicense } from './license-checks.js';
import { readReport } from './report.js';
import { hasRefusedFile, isOnLicense } from './ring-runs.js';

/**
 * Runs the parsers over the outputs in a report, and says how much they understand, as the self-check does.
 * @throws {Error} when the text is no report, or lacks a run
 */
export function replay(text: string, findings: Findings): void {
  const { runs, clearText } = readReport(text);
  for (const run of runs) {
    const isFileRefused = hasRefusedFile(run, runs);
    if (!isFileRefused) findings.checkRun(run);
  }

  findings.checkAwk(runs);

  // Without a license the self-check only runs ring on a made-up file.
  const hasLicense = runs.some(isOnLicense);
  if (hasLicense) checkLicense(runs, clearText, findings);
}
