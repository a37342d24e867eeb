import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Findings } from '../../../src/doctor/findings.js';
import { replay } from '../../../src/doctor/replay.js';
import { transcript, transcriptPath } from '../../support/fake-ring.js';

function replayed(report: string) {
  const lines: string[] = [];
  const findings = new Findings((line) => lines.push(line));
  replay(report, findings);
  return { lines, problems: findings.problems };
}

it.each(readdirSync(transcriptPath('reports')))(
  'everything in reports/%s is understood, except for what its ✗ lines name',
  (name) => {
    const report = transcript(`reports/${name}`);
    const { problems } = replayed(report);
    const [head = ''] = report.split('\n\n');
    const known = head.split('\n').filter((line) => line.startsWith('✗ '));
    expect(problems.map((problem) => `✗ ${problem}`).toSorted()).toEqual(known.toSorted());
  },
);

const FITS = transcript('reports/stand-in-two-versions.txt');

it('masked values are read like real ones', () => {
  const { lines } = replayed(FITS);
  expect(lines.join('\n')).toMatch(/^– license info \(ru\): found .*generatedAt.* binding;/m);
  expect(lines.join('\n')).toMatch(/^– clear text .* producedAt, unlimited, users/m);
});

const UNKNOWN = 'license info (ru), line 11: not known, or its value has another form';
const HUNG = '9.0 s, still running after 9000 ms';
it.each<[what: string, from: string | RegExp, to: string, problem: string]>([
  ['an unknown label', '    Город:', '    Город мира:', UNKNOWN],
  [
    'the same in the next line',
    '    Город:',
    '    Город мира: x\n    Город мира:',
    UNKNOWN.replace('11', '12'),
  ],
  ['a line without a label', '    Город:', '    : город\n    Город:', UNKNOWN],
  ['an unknown name', /000000000000000-000000000x0/, '№$&', 'license list (ru) does not name the license'],
  ['another PIN in the record', /^pin : 0/gm, 'pin : 1', "license's hardware in the debug records (en)"],
  ['other hardware lines', /^(\w[\w ]*_0|.*: OS name_0):/gm, '$1=', 'hardware parameters (ru): not found'],
  ['a run that did not end', /info \(en\): exit status .*$/m, `info (en): ${HUNG}`, `info (en): ${HUNG}`],
])('%s is a problem', (_what, from, to, problem) => {
  const { problems } = replayed(FITS.replace(from, to));
  expect(problems).toContainEqual(expect.stringContaining(problem));
});

const AWK = 'awk: xxxx 0: xxxxxxxx xxxxxx xxxxx xxxxxxx';
it.each([
  ['stdout', FITS.replace(/^== ring .*$/gm, `$&\n${AWK}`)],
  ['stderr', FITS.replace(/\n\n(?=== )/g, `\n-- stderr\n${AWK}\n\n`)],
])('an awk that fails in every run, as %s says, is one warning', (_stream, report) => {
  const { lines, problems } = replayed(report);
  const warnings = lines.filter((line) => line.startsWith('! '));
  expect(warnings).toEqual([expect.stringContaining('Install gawk')]);
  expect(problems).toEqual([]);
});

it('a failure that only the present parsers recognize is a problem', () => {
  const report = transcript('reports/stand-in-no-module.txt');
  const unrecognized = report.replace(/^(== .* exit status 254, 0\.0 s), .*$/m, '$1');
  expect(unrecognized).not.toBe(report);
  const { problems } = replayed(unrecognized);
  expect(problems).toEqual([expect.stringContaining('Модуль "license" не зарегистрирован')]);
});

it.each([
  ['no report', 'Hello', 'This is no report of the self-check.'],
  ['lacks a run', FITS.replace('info (en)', 'inf (en)'), 'The report lacks ring license info (en).'],
])('a text that %s is refused', (_what, text, message) => {
  expect(() => replayed(text)).toThrow(message);
});

it('a report with CRLF is read the same', () => {
  expect(replayed(FITS.replaceAll('\n', '\r\n'))).toEqual(replayed(FITS));
});
