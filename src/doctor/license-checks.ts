import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_HEAD_BYTES, readableLines } from '../license/clear-text.js';
import { FILE_LABELS, readLicenseFile } from '../license/file-fields.js';
import { compareHardware } from '../license/hardware-list.js';
import { readInfo } from '../license/info-fields.js';
import type { StructuredLicense } from '../license/schema.js';
import { readLines } from '../license/text-lines.js';
import { readInfoText, readList, readValidation, type Command } from '../ring/commands.js';
import type { RingLanguage } from '../ring/environment.js';
import type { Findings } from './findings.js';
import { runCommand, type ReportedRun, type RingInUse } from './ring-runs.js';

type Other = StructuredLicense['other'];

/** Gives the runs of a command: without tuning, then with it if it is on. */
type RunAll = (language: RingLanguage, command: Command) => Promise<ReportedRun[]>;

/** What the last run of each command says, in one language. */
type Decoded = Awaited<ReturnType<typeof tryCommands>>[number];

/** Runs every command in both languages, without and with tuning, and `list` on a damaged copy. */
export async function runLicense(file: Buffer, ring: RingInUse, findings: Findings) {
  const runs: ReportedRun[] = [];
  const licenses = await directoryWith(file, join(ring.directory, 'license'));
  const variants = ring.jvmOptions.length > 0 ? [[], ring.jvmOptions] : [[]];
  const decoded = await tryCommands(async (language, command) => {
    const all: ReportedRun[] = [];
    for (const jvmOptions of variants) {
      all.push(await runCommand({ ...ring, jvmOptions, language }, command, licenses));
    }
    runs.push(...all);
    return all;
  }, findings);
  const broken = Buffer.from(file).fill('A', 0, file.length >> 1);
  const damaged = await directoryWith(broken, join(ring.directory, 'damaged'));
  const run = await runCommand({ ...ring, language: 'ru' }, { name: 'list' }, damaged);
  runs.push({ ...run, title: `${run.title} on a damaged copy` });
  findings.checkRun(runs.slice(-1));
  return { runs, decoded };
}

/** Runs every command in both languages, says which worked, and reads them as a decode does. */
export async function tryCommands(runAll: RunAll, findings: Findings) {
  const decoded = [];
  for (const language of ['ru', 'en'] as const) {
    const lastOf = async (command: Command): Promise<ReportedRun> => {
      const all = await runAll(language, command);
      findings.checkRun(all);
      const [first, last = first] = all as [ReportedRun, ReportedRun?];
      const isSame = first.text === last.text && first.exitCode === last.exitCode;
      if (!isSame) findings.check(false, [`${first.title} differs when tuned`], 'Set RING_JVM_TUNING=off.');
      return last;
    };
    const license = readList(await lastOf({ name: 'list' }));
    findings.check(license !== undefined, [
      `license list (${language}) ${license ? 'names' : 'does not name'} the license`,
    ]);
    if (!license) continue;
    const { name, pin } = license;
    const printed = await lastOf({ name: 'info', license: name });
    const validate = await lastOf({ name: 'validate', license: name });
    const debug = await lastOf({ name: 'validate', license: name, debug: true });
    decoded.push({
      language,
      printed: printed.stdout,
      info: readInfoText(printed),
      valid: readValidation(validate, pin).valid,
      debug: readValidation(debug, pin),
    });
  }
  return decoded;
}

async function directoryWith(file: Buffer, path: string): Promise<string> {
  await mkdir(path);
  await writeFile(join(path, 'license.lic'), file);
  return path;
}

/** The readable lines of a license file. */
export const clearTextOf = (file: Buffer): string =>
  readableLines(file, (label) => FILE_LABELS.includes(label)).join('\n');

/** Says which fields were found, and which lines of the texts are not known, but no value. */
export function checkFields(file: Buffer, decoded: readonly Decoded[], findings: Findings): void {
  const report = (title: string, text: string, fields: Record<string, unknown>, other: Other) => {
    const missing = Object.keys(fields).filter((name) => fields[name] === null);
    const found = Object.keys(fields).filter((name) => !missing.includes(name));
    const list = (names: string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
    findings.note(`– ${title}: found ${list(found)}; not found ${list(missing)}`);
    const lines = readLines(text);
    let last = -1;
    for (const { name, value } of other) {
      const isIt = (line: string) =>
        (name === null ? line.trim() : line.split(':')[0]?.trim()) === (name ?? value);
      const at = lines.findIndex((line, i) => i > last && isIt(line));
      // A value that was put together of several lines is none of them.
      const where = at === -1 ? title : `${title}, line ${at + 1}`;
      findings.check(false, [`${where}: not known, or its value has another form`]);
      last = Math.max(last, at);
    }
  };
  for (const { language, printed, info, valid, debug } of decoded) {
    const { licenseHardware, machineHardware, previousPin } = debug;
    const lists = compareHardware(licenseHardware ?? '', machineHardware ?? '');
    const found = {
      'text of license info': info !== undefined,
      "license's hardware in the debug records": licenseHardware !== undefined,
      "this machine's hardware in the debug records": machineHardware !== undefined,
      'names of the hardware parameters': [...lists.license, ...lists.current].every(({ name }) => name),
    };
    const verdict = valid === null ? 'not checked' : `the license ${valid ? 'fits' : 'does not fit'}`;
    findings.check(valid !== null, [`license validate (${language}): ${verdict}`]);
    for (const [what, isFound] of Object.entries(found)) {
      findings.check(isFound, [`${what} (${language}): ${isFound ? 'found' : 'not found'}`]);
    }
    const { owner, product, binding, other } = readInfo(info ?? '');
    const fields = { ...owner, ...product, binding, previousPin };
    report(`license info (${language})`, printed, fields, other);
  }
  const clearText = readLicenseFile(file.subarray(0, FILE_HEAD_BYTES));
  const fields = clearText.file ?? { any: null };
  report('clear text of the file', clearTextOf(file), fields, clearText.other);
}
