import { Findings } from './findings.js';
import { checkFields, tryCommands } from './license-checks.js';
import { readReport } from './report.js';
import { titleOf } from './ring-runs.js';

/**
 * Runs the parsers over the outputs in a report, and says what they understand, as the self-check does.
 * @throws {Error} when the text is no report, or lacks a run
 */
export async function replay(text: string, findings: Findings): Promise<void> {
  const { runs, clearText } = readReport(text);
  const others = runs.filter(({ title }) => title.includes(' on a '));
  for (const run of others) findings.checkRun([run]);
  // Without a license the self-check runs nothing else.
  if (others.length === runs.length) return;

  const decoded = await tryCommands((language, command) => {
    const title = `${titleOf(command, 'license')} (${language}`;
    const found = runs.filter(
      (run) => !others.includes(run) && run.title.replace(/ license\S+/, ' license').startsWith(title),
    );
    if (found.length === 0) throw new Error(`The report lacks ${title}).`);
    return Promise.resolve(found);
  }, findings);
  checkFields(Buffer.from(clearText), decoded, findings);
}

/** Says whether the self-check's own report is read as what ring printed: to maintainers another one is of no use. */
export async function checkReport(report: string, problems: readonly string[], findings: Findings) {
  const replayed = new Findings(() => undefined);
  await replay(report, replayed).catch((error: unknown) => replayed.problems.push((error as Error).message));
  const fault = replayed.problems.find((problem) => !problems.includes(problem));
  findings.check(fault === undefined, ['replay of the report', fault], 'Say so when you pass it on.', false);
}
