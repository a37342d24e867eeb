import { expect, it } from 'vitest';
import { Findings } from '../../../src/doctor/findings.js';
import { checkClearText, checkDecode } from '../../../src/doctor/license-checks.js';
import type { ReportedRun } from '../../../src/doctor/ring-runs.js';
import { outputOf } from '../../../src/ring/commands.js';
import { transcript } from '../../support/fake-ring.js';

function linesOf(check: (findings: Findings) => void): string[] {
  const lines: string[] = [];
  check(new Findings((line) => lines.push(line)));
  return lines;
}

function run(stdout: string, exitCode = 0, stderr = ''): ReportedRun {
  return {
    ...outputOf({ exitCode, stdout, stderr }),
    title: 'ring',
    outcome: `exit status ${exitCode}, 0.1 s`,
    failure: undefined,
    isRefused: false,
    stdout,
    isUtf8: true,
  };
}

const INFO = transcript('info-one-ru.txt');
const DEBUG = transcript('validate-debug-ru.txt');

/** What the self-check says of a decode with these outputs. */
function checked({
  info = INFO,
  validate = transcript('validate-mismatch-ru.txt'),
  debug = DEBUG,
}): string[] {
  const license = {
    pin: '332588056123456',
    info: run(info),
    validate: run(validate, 1),
    debugValidate: run(debug, 1),
  };
  return linesOf((findings) => checkDecode({ language: 'ru', license }, findings));
}

it('what ring prints about a license is understood, and none of its values shown', () => {
  const lines = checked({});
  expect(lines.filter((line) => line.startsWith('✗'))).toEqual([]);
  expect(lines).toContain('✓ license validate (ru): the license does not fit');
  expect(lines).toContain(
    '– license info (ru): found firstName, middleName, lastName, email, company, country, postalCode, region, city, ' +
      'street, house, description, generatedAt, registrationNumber; ' +
      'not found district, building, apartment, productCode, kind, binding',
  );
  expect(lines.join('\n')).not.toMatch(/Иван|Ромашка|332588|SRV/);
});

const changed = (from: string | RegExp, to: string) => ({ info: INFO.replace(from, to) });
const UNKNOWN = 'license info (ru): lines that are not known: 1';
const TWICE_OR_ODD = 'stands twice, or its value has another form';
it.each<[what: string, outputs: Parameters<typeof checked>[0], problem: string]>([
  ['no verdict', { validate: '' }, 'license validate (ru): no verdict found'],
  [
    'another PIN in the record',
    { debug: DEBUG.replace('\npin : 3', '\npin : 4') },
    "license's hardware in the debug records (ru): not found",
  ],
  [
    'no record of this machine',
    { debug: DEBUG.replace('HardInfo', 'Info') },
    "this machine's hardware in the debug records (ru): not found",
  ],
  [
    'hardware in another form',
    { debug: DEBUG.replace('OS name :', 'OS name =') },
    'names of the hardware parameters (ru): not found',
  ],
  ['no text', { info: '' }, 'text of license info (ru): not found'],
  ['an unknown label', changed('    Город:', '    Город мира:'), UNKNOWN],
  ['a line without a label', changed('    Город:', '    : город\n    Город:'), UNKNOWN],
  [
    'a value in another form',
    changed('18.10.2017', '18 окт'),
    `license info (ru): "Дата комплектации" ${TWICE_OR_ODD}`,
  ],
  [
    'a label that stands twice',
    changed('    Улица:', '    Город: Тула г\n    Улица:'),
    `license info (ru): "Город" ${TWICE_OR_ODD}`,
  ],
])('%s is a problem', (_what, outputs, problem) => {
  expect(checked(outputs).filter((line) => line.startsWith('✗'))).toEqual([`✗ ${problem}`]);
});

it.each([
  ['not found', DEBUG.replace('previous pin : \n', '')],
  ['found, without a PIN code', DEBUG],
  ['found, with a PIN code', DEBUG.replace('previous pin : ', '$&332588056654321')],
])('the line of the previous PIN code is %s, which is no problem', (found, debug) => {
  const lines = checked({ debug });
  expect(lines).toContain(`– line of the previous PIN code in the debug records (ru): ${found}`);
  expect(lines.filter((line) => line.startsWith('✗'))).toEqual([]);
});

const problemsOf = (clearText: string) =>
  linesOf((findings) => checkClearText(clearText, findings)).filter((line) => line.startsWith('✗'));

it('each label of a clear text that stands twice is named', () => {
  const problems = problemsOf(transcript('lic-tail-twice-ru.txt').trimStart());
  expect(problems).toHaveLength(7);
  expect(problems[0]).toBe(`✗ clear text of the file: "Регистрационный номер" ${TWICE_OR_ODD}`);
});

it('the unknown lines of a clear text are counted', () => {
  const unknown = '✗ clear text of the file: lines that are not known: 2';
  expect(problemsOf('Тип лицензии: клиент\nНовая: 1\nНовая:\nстрока')).toEqual([unknown]);
});

it('a file without clear text is no problem', () => {
  const lines = linesOf((findings) => checkClearText('', findings));
  expect(lines).toEqual(['– clear text of the file: there is none']);
});

it('a run that was not UTF-8 is a warning', () => {
  const lines = linesOf((findings) => findings.checkRun({ ...run(INFO), isUtf8: false }));
  const warning = '! ring: not UTF-8, and read as windows-1251. Remove encodings from RING_OPTS.';
  expect(lines).toEqual(['✓ ring: exit status 0, 0.1 s', warning]);
});

const AWK = 'awk: line 2: function gensub never defined';
it.each([
  ['stdout', run(AWK)],
  ['stderr', run('', 0, AWK)],
])('an awk that fails in every run, as %s says, is one warning', (_stream, failed) => {
  const lines = linesOf((findings) => findings.checkAwk([failed, failed]));
  expect(lines).toEqual([expect.stringMatching(/^! the awk .* Install gawk/)]);
});
