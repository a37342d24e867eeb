import { Findings } from './findings.js';
import { checkFields, tryCommands } from './license-checks.js';
import { readReport } from './report.js';
import { titleOf, type ReportedRun } from './ring-runs.js';

/**
 * Runs the parsers over the outputs in a report, and says how much they understand, as the self-check does.
 * @throws {Error} when the text is no report, or lacks a run
 */
export async function replay(text: string, findings: Findings): Promise<void> {
  const { runs, clearText } = readReport(text);
  const onOtherFiles = runs.filter(isOnOtherFile);
  for (const run of onOtherFiles) findings.checkRuns({ untuned: run });

  const onLicense = runs.filter((run) => !isOnOtherFile(run));
  // Without a license the self-check runs nothing else.
  if (onLicense.length === 0) return;

  const decoded = await tryCommands((language, command) => {
    const title = `${titleOf(command, 'license')} (${language}`;
    const found = onLicense.filter((run) => titleWithoutVersion(run).startsWith(title));
    const [untuned, tuned] = found;
    if (untuned === undefined) throw new Error(`The report lacks ${title}).`);
    return Promise.resolve({ untuned, tuned });
  }, findings);
  checkFields(Buffer.from(clearText), decoded, findings);
}

/** Whether this is a run on a made-up file or on a damaged copy. */
function isOnOtherFile(run: ReportedRun): boolean {
  return run.title.includes(' on a ');
}

/** The title with the module as `license` instead of, say, `license@0.15.0`. */
function titleWithoutVersion(run: ReportedRun): string {
  return run.title.replace(/ license\S+/, ' license');
}

/**
 * Says whether the parsers understand the self-check's own report as well as what ring printed. If they do not, masking
 * has lost something, and maintainers cannot work with the report.
 */
export async function checkReport(report: string, problems: readonly string[], findings: Findings) {
  const ofReplay = await problemsOfReplay(report);
  const lost = ofReplay.find((problem) => !problems.includes(problem));
  findings.checkOptional(lost === undefined, ['replay of the report', lost], 'Say so when you pass it on.');
}

async function problemsOfReplay(report: string): Promise<string[]> {
  const findings = new Findings(() => undefined);
  try {
    await replay(report, findings);
    return findings.problems;
  } catch (error) {
    return [...findings.problems, (error as Error).message];
  }
}
