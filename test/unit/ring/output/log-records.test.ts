import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDebugRecords } from '../../../../src/ring/output/debug-records.js';
import { parseList } from '../../../../src/ring/output/license-name.js';
import { lastLines, splitLogRecords } from '../../../../src/ring/output/log-records.js';
import { transcript } from '../../../support/fake-ring.js';

const LICENSE_RECORD =
  '[DEBUG ] x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \n';

const PLAIN = ['info-one-en', 'info-one-ru', 'validate-mismatch-en', 'validate-ok-ru'];
it.each(PLAIN)('leaves %s as it is', (name) => {
  const text = transcript(`${name}.txt`);
  expect(splitLogRecords(text)).toEqual({ text: text.trim(), records: [] });
});

it('separates the records of a debug run, each with its further lines, from the verdict', () => {
  const { text, records } = splitLogRecords(transcript('validate-debug-ru.txt'));
  expect(text).toBe(transcript('validate-mismatch-ru.txt').trim());
  expect(records.map((record) => record.split('\n').length)).toEqual([1, 17, 1, 7]);
});

it.each<[string, string, string]>([
  [
    'a stack trace',
    '[ERROR ] a.B - failed\njava.io.IOException: x\n\tat a.B.c(B.java:1)\nCaused by: java.lang.Error\n\t... 3 more\ntext',
    'text',
  ],
  [
    'a stack trace in the middle of a text',
    'head:\n[ERROR ] a - b\njava.io.IOException: x\n    at a.B.c(B.java:1)\n    ... 12 more\n    Suppressed: x\n  Caused by: x\n    ... 12 common frames omitted\n    one: 1',
    'head:\n    one: 1',
  ],
  ['an indented line before any text', ' \n[DEBUG ] a - b:\n key: value\ntext\n    kept', 'text\n    kept'],
  ['a text that quotes an exception', '[WARN  ] a - b\nОй: java.io.IOException', 'Ой: java.io.IOException'],
  ['a text with a colon after a blank', '[WARN  ] a - b\nПричина: c : d', 'Причина: c : d'],
  ['a text that quotes a record', 'a [INFO  ] b', 'a [INFO  ] b'],
  ['a text that quotes a warning', 'a WARNING: b', 'a WARNING: b'],
  ['a record without a word', '[INFO  ]\ntext', 'text'],
  ['key : value lines', '[DEBUG ] a - b\nkey : value\nkey :\ntext', 'text'],
  ['a record in the middle of a text', 'head:\n[WARN  ] a - b\n    two: 2', 'head:\n    two: 2'],
  ['a record at the end', 'text\n[INFO  ] a - b', 'text'],
  ['hardware up to the empty line', '[DEBUG ] x.hard.HardInfo - computer info : a\nfree\n \ntext', 'text'],
  ['a license without a customer', `${LICENSE_RECORD}OS name : x\ntext`, 'text'],
  ['a value of two lines', `${LICENSE_RECORD}a\nCustomer info : \nName : x\nmore\npin : 1\nb : 2\nc`, 'c'],
  [
    'a value of two lines where the hardware has a line like the PIN',
    `${LICENSE_RECORD}pin : 0\nCustomer info : \nName : x\nmore\npin : 1\nb : 2\nc`,
    'c',
  ],
  ['a byte order mark', '\uFEFFtext', 'text'],
  [
    'warnings of the JVM',
    'Java HotSpot(TM) 64-Bit Server VM warning: x\n[12.345s][warning][cds] y\nPicked up JAVA_TOOL_OPTIONS: -Dx\ntext',
    'text',
  ],
  [
    'lines of awk',
    ' awk: a\nawk: line 2: function gensub never defined\nmawk: x\ngawk: y\nlawk: z',
    'awk: a\nlawk: z',
  ],
])('handles %s', (_title, output, text) => expect(splitLogRecords(output).text).toBe(text));

const line = 'x'.repeat(99);
/** Lines of 100 characters with their line ends, 65,536 characters in all. */
const longest = `${'y'.repeat(35)}\n${`${line}\n`.repeat(654)}${line}z`;

it.each<[title: string, text: string, kept: string]>([
  ['1,000 lines', '1\n'.repeat(1_000), '1\n'.repeat(1_000).trim()],
  ['no indentation of the first line', `first\n  ${'1\n'.repeat(1_000)}`, '1\n'.repeat(1_000).trim()],
  ['a line that begins at the limit', `first\n${longest}`, longest],
  ['no line that crosses the limit', `first${longest}`, longest.slice(36)],
  ['nothing of one line that is too long', 'x'.repeat(65_537), ''],
  ['no white space around', `\n\n  ${longest}\n  `, longest],
  ['nothing of nothing', ' \n', ''],
])('the last lines: keeps %s', (_title, text, kept) => expect(lastLines(text)).toBe(kept));

it('the last lines: bounds the text and both hardware lists, and keeps the verdict', () => {
  const flood = 'key: value\n'.repeat(10_000);
  const output = transcript('validate-debug-ru.txt')
    .replace('OS name : Windows', (list) => flood + list)
    .replace('OS name : Linux', (list) => flood + list);
  const { text, records } = splitLogRecords(`${flood}${output}`);
  const { licenseHardware, machineHardware } = readDebugRecords(records, '332588056123456');
  const lists = [licenseHardware, machineHardware];
  for (const part of [text, ...lists]) expect(part?.split('\n')).toHaveLength(1_000);
  expect(text).toMatch(/app-7f9c \(текущее\)$/);
});

const PIN = '332588056123456';
const record = fc
  .tuple(
    fc.constantFrom('TRACE ', 'DEBUG ', 'INFO  ', 'WARN  ', 'ERROR ', 'FATAL '),
    fc.constantFrom(
      'x.hard.HardInfo - computer info : ',
      'x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : ',
      'a.b.C - text',
    ),
  )
  .map(([level, text]) => `[${level}] ${text}`);
const known = fc.constantFrom(
  '',
  'Customer info : ',
  `pin : ${PIN}`,
  'previous pin : ',
  'OS name : Linux',
  '    Имя: Иван',
  '\tat a.b.C',
  `${PIN}-8100123456 (file name: "a.lic")`,
);
const output = fc
  .tuple(
    fc.array(fc.oneof(fc.string({ unit: 'binary' }), record, known), { maxLength: 30 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([lines, end]) => lines.join(end));

it('for any output of ring the parsers never throw and let no log record through', () => {
  fc.assert(
    fc.property(output, (stdout) => {
      const { text, records } = splitLogRecords(stdout);
      const { licenseHardware = '', machineHardware = '' } = readDebugRecords(records, PIN);
      for (const part of [text, licenseHardware, machineHardware]) {
        expect(part).not.toMatch(/^\[(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) *\] /m);
        expect(part).not.toContain('\r');
        expect(part).toBe(part.trim());
      }
      expect(parseList(text)?.name ?? `${PIN}-1`).toMatch(/^[0-9A-Za-z]+(?:-[0-9A-Za-z]+)+$/);
    }),
    { numRuns: 2000 },
  );
});

it('for any output of ring every line of a text without records stays, in order and with its indentation', () => {
  const plain = fc
    .stringMatching(/^ {0,8}[А-яA-Za-z][А-яA-Za-z0-9 ]{0,20}: ?[А-я0-9 ]{0,20}$/)
    .filter((text) => !/^WARNING: |^[^:]+ :/.test(text));
  fc.assert(
    fc.property(fc.array(plain, { minLength: 1 }), (lines) => {
      expect(splitLogRecords(lines.join('\n')).text).toBe(lines.join('\n').trim());
    }),
    { numRuns: 500 },
  );
});
