import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_HEAD_BYTES } from '../license/clear-text.js';
import { readLicenseFile } from '../license/file-fields.js';
import { compareHardware } from '../license/hardware-list.js';
import { readInfo } from '../license/info-fields.js';
import type { StructuredLicense } from '../license/schema.js';
import type { RingLanguage } from '../ring/ring-command.js';
import { readDebugRecords } from '../ring/output/debug-records.js';
import { parseList } from '../ring/output/license-name.js';
import { verdictOf } from '../ring/output/verdict.js';
import type { Findings } from './findings.js';
import { runLicenseCommand, type RingRun, type RingSetup } from './ring-runs.js';

/** Gives the runs of a command: without tuning, then with it if it is on. */
type RunCommand = (language: RingLanguage, command: string[], options?: string[]) => Promise<RingRun[]>;

/** The last run of each command, in one language. */
type Decoded = Awaited<ReturnType<typeof decodeLicense>>[number];

/** Runs every command in both languages, without and with tuning, and `list` on a damaged copy. */
export async function runLicense(file: Buffer, setup: RingSetup, findings: Findings) {
  const runs: RingRun[] = [];
  const licenses = await directoryWith(file, join(setup.work, 'license'));
  const variants = setup.jvmOptions.length > 0 ? [[], setup.jvmOptions] : [[]];
  const decoded = await decodeLicense(async (language, command, options) => {
    const all: RingRun[] = [];
    for (const jvmOptions of variants) {
      all.push(await runLicenseCommand({ ...setup, jvmOptions }, command, licenses, language, options));
    }
    runs.push(...all);
    return all;
  }, findings);
  const broken = Buffer.from(file).fill('A', 0, file.length >> 1);
  const damaged = await directoryWith(broken, join(setup.work, 'damaged'));
  const run = await runLicenseCommand(setup, ['list'], damaged, 'ru');
  runs.push({ ...run, title: `${run.title} on a damaged copy` });
  findings.checkRun(runs.slice(-1));
  return { runs, decoded };
}

/** Runs every command in both languages, and says which worked. */
export async function decodeLicense(runCommand: RunCommand, findings: Findings) {
  const decoded = [];
  for (const language of ['ru', 'en'] as const) {
    const runAll = async (command: string[], options?: string[]): Promise<RingRun> => {
      const all = await runCommand(language, command, options);
      findings.checkRun(all);
      const [first, last = first] = all as [RingRun, RingRun?];
      const isSame = first.text === last.text && first.exitCode === last.exitCode;
      if (!isSame) findings.check(false, [`${first.title} differs when tuned`], 'Set RING_JVM_TUNING=off.');
      return last;
    };
    const list = await runAll(['list']);
    const name = list.exitCode === 0 ? parseList(list.text) : undefined;
    findings.check(name !== undefined, [
      `license list (${language}) ${name ? 'names' : 'does not name'} the license`,
    ]);
    if (!name) continue;
    const info = await runAll(['info', '--name', name.name]);
    const validate = await runAll(['validate', '--name', name.name]);
    const debug = await runAll(['validate', '--name', name.name], ['-l', 'debug']);
    decoded.push({ language, name, info, validate, debug });
  }
  return decoded;
}

async function directoryWith(file: Buffer, path: string): Promise<string> {
  await mkdir(path);
  await writeFile(join(path, 'license.lic'), file);
  return path;
}

/**
 * Says which fields were found and which labels are not known, but no value.
 * @param shown what may be shown of an unknown label
 */
export function checkFields(
  file: Buffer,
  decoded: readonly Decoded[],
  shown: (label: string) => string,
  findings: Findings,
): void {
  const report = (title: string, fields: Record<string, unknown>, other: StructuredLicense['other']) => {
    const missing = Object.keys(fields).filter((name) => fields[name] === null);
    const found = Object.keys(fields).filter((name) => !missing.includes(name));
    const list = (names: string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
    findings.note(`– ${title}: found ${list(found)}; not found ${list(missing)}`);
    for (const { name } of other) {
      const line = name === null ? 'a line without a label' : `label "${shown(name)}"`;
      findings.check(false, [`${title}: ${line} is not known, or its value has another form`]);
    }
  };
  for (const { language, name, info, validate, debug } of decoded) {
    const { licenseHardware, machineHardware, previousPin } = readDebugRecords(debug.records, name.pin);
    const lists = compareHardware(licenseHardware ?? '', machineHardware ?? '');
    const found = {
      'text of license info': info.exitCode === 0 && info.text !== '',
      "license's hardware in the debug records": licenseHardware !== undefined,
      "this machine's hardware in the debug records": machineHardware !== undefined,
      'names of the hardware parameters': [...lists.license, ...lists.current].every(
        (parameter) => parameter.name !== '',
      ),
    };
    const valid = verdictOf(validate);
    const verdict = valid === null ? 'not checked' : `the license ${valid ? 'fits' : 'does not fit'}`;
    findings.check(valid !== null, [`license validate (${language}): ${verdict}`]);
    for (const [what, isFound] of Object.entries(found)) {
      findings.check(isFound, [`${what} (${language}): ${isFound ? 'found' : 'not found'}`]);
    }
    const { owner, product, binding, other } = readInfo(info.text);
    const fields = { ...owner, ...product, binding, previousPin };
    report(`license info (${language})`, fields, other);
  }
  const clearText = readLicenseFile(file.subarray(0, FILE_HEAD_BYTES));
  report('clear text of the file', clearText.file ?? { any: null }, clearText.other);
}
