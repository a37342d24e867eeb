import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readableLines } from '../license/clear-text.js';
import { FILE_LABELS, readLicenseFile } from '../license/file-fields.js';
import { compareHardware } from '../license/hardware-list.js';
import { readInfo } from '../license/info-fields.js';
import type { StructuredLicense } from '../license/schema.js';
import { readLines } from '../license/text-lines.js';
import { readInfoText, readList, readValidation, type Command, type Validation } from '../ring/commands.js';
import type { RingLanguage } from '../ring/environment.js';
import type { Findings } from './findings.js';
import { runCommand, type ReportedRun, type RingInUse, type Runs } from './ring-runs.js';

type OtherLine = StructuredLicense['other'][number];

/** Gives the runs of a command, in one language. */
type RunAll = (language: RingLanguage, command: Command) => Promise<Runs>;

/** The results of the last run of each command, in one language. */
interface Decoded {
  language: RingLanguage;
  /** The output of `info`, with log records. */
  printed: string;
  info: string | undefined;
  valid: boolean | null;
  debug: Validation;
}

/** Runs every command in both languages, without and with tuning, and `list` on a damaged copy. */
export async function runLicense(file: Buffer, ring: RingInUse, findings: Findings) {
  const runs: ReportedRun[] = [];
  const licenses = await directoryWith(file, join(ring.directory, 'license'));
  const decoded = await tryCommands(async (language, command) => {
    const untuned = await runCommand({ ...ring, jvmOptions: [], language }, command, licenses);
    runs.push(untuned);
    if (ring.jvmOptions.length === 0) return { untuned };

    const tuned = await runCommand({ ...ring, language }, command, licenses);
    runs.push(tuned);
    return { untuned, tuned };
  }, findings);

  const damaged = await runDamagedCopy(file, ring);
  runs.push(damaged);
  findings.checkRuns({ untuned: damaged });
  return { runs, decoded };
}

async function runDamagedCopy(file: Buffer, ring: RingInUse): Promise<ReportedRun> {
  const copy = Buffer.from(file);
  const half = Math.floor(file.length / 2);
  copy.fill('A', 0, half);
  const licenses = await directoryWith(copy, join(ring.directory, 'damaged'));
  const run = await runCommand({ ...ring, language: 'ru' }, { name: 'list' }, licenses);
  return { ...run, title: `${run.title} on a damaged copy` };
}

async function directoryWith(file: Buffer, path: string): Promise<string> {
  await mkdir(path);
  await writeFile(join(path, 'license.lic'), file);
  return path;
}

/** Runs every command in both languages, says which worked, and reads them as a decode does. */
export async function tryCommands(runAll: RunAll, findings: Findings): Promise<Decoded[]> {
  const decoded: Decoded[] = [];
  for (const language of ['ru', 'en'] as const) {
    const lastRunOf = async (command: Command) => checkRuns(await runAll(language, command), findings);

    const license = readList(await lastRunOf({ name: 'list' }));
    const verb = license === undefined ? 'does not name' : 'names';
    findings.check(license !== undefined, [`license list (${language}) ${verb} the license`]);
    if (license === undefined) continue;

    const info = await lastRunOf({ name: 'info', license: license.name });
    const validate = await lastRunOf({ name: 'validate', license: license.name });
    const debug = await lastRunOf({ name: 'validate', license: license.name, debug: true });
    decoded.push({
      language,
      printed: info.stdout,
      info: readInfoText(info),
      valid: readValidation(validate, license.pin).valid,
      debug: readValidation(debug, license.pin),
    });
  }
  return decoded;
}

/** Says whether a command ran, and with tuning as without. @returns the last run */
function checkRuns(runs: Runs, findings: Findings): ReportedRun {
  findings.checkRuns(runs);
  const { untuned, tuned } = runs;
  if (tuned === undefined) return untuned;

  const isSame = untuned.text === tuned.text && untuned.exitCode === tuned.exitCode;
  if (!isSame) findings.check(false, [`${untuned.title} differs when tuned`], 'Set RING_JVM_TUNING=off.');
  return tuned;
}

/** The readable lines of a license file. */
export function clearTextOf(file: Buffer): string {
  const lines = readableLines(file, (label) => FILE_LABELS.includes(label));
  return lines.join('\n');
}

/** Says which fields were found, and which lines of the texts are not known. Shows no value. */
export function checkFields(file: Buffer, decoded: readonly Decoded[], findings: Findings): void {
  for (const each of decoded) {
    checkValidation(each, findings);
    checkInfo(each, findings);
  }

  const title = 'clear text of the file';
  const clearText = readLicenseFile(file);
  noteFields(title, clearText.file ?? { any: null }, findings);
  checkOtherLines(title, clearTextOf(file), clearText.other, findings);
}

function checkValidation({ language, info, valid, debug }: Decoded, findings: Findings): void {
  findings.check(valid !== null, [`license validate (${language}): ${describeVerdict(valid)}`]);

  const checkFound = (what: string, isFound: boolean) => {
    const state = isFound ? 'found' : 'not found';
    findings.check(isFound, [`${what} (${language}): ${state}`]);
  };
  const { licenseHardware, machineHardware } = debug;
  const lists = compareHardware(licenseHardware ?? '', machineHardware ?? '');
  const parameters = [...lists.license, ...lists.current];
  checkFound('text of license info', info !== undefined);
  checkFound("license's hardware in the debug records", licenseHardware !== undefined);
  checkFound("this machine's hardware in the debug records", machineHardware !== undefined);
  const areNamed = parameters.every(({ name }) => name !== '');
  checkFound('names of the hardware parameters', areNamed);
}

function describeVerdict(valid: boolean | null): string {
  if (valid === null) return 'not checked';
  return valid ? 'the license fits' : 'the license does not fit';
}

function checkInfo({ language, printed, info, debug }: Decoded, findings: Findings): void {
  const title = `license info (${language})`;
  const { owner, product, binding, other } = readInfo(info ?? '');
  const fields = { ...owner, ...product, binding, previousPin: debug.previousPin };
  noteFields(title, fields, findings);
  checkOtherLines(title, printed, other, findings);
}

/** Notes the names of the fields with and without a value. */
function noteFields(title: string, fields: Record<string, unknown>, findings: Findings): void {
  const found: string[] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) missing.push(name);
    else found.push(name);
  }
  findings.note(`– ${title}: found ${list(found)}; not found ${list(missing)}`);
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

/** Names the lines that no field holds, by their number in the text. */
function checkOtherLines(title: string, text: string, other: readonly OtherLine[], findings: Findings): void {
  const lines = readLines(text);
  let start = 0;
  for (const otherLine of other) {
    const index = lines.findIndex((line, i) => i >= start && isFrom(line, otherLine));
    const isFound = index !== -1;
    if (isFound) start = index + 1;
    // A value that was put together of several lines is none of them. Then only the text is named.
    const where = isFound ? `${title}, line ${start}` : title;
    findings.check(false, [`${where}: not known, or its value has another form`]);
  }
}

function isFrom(line: string, { name, value }: OtherLine): boolean {
  if (name === null) return line.trim() === value;
  const [label = ''] = line.split(':', 1);
  return label.trim() === name;
}
