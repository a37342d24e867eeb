import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { licenseHardware, machineHardware } from '../src/ring/hardware.js';
import { formatPin, parseList } from '../src/ring/license-name.js';
import { splitLogRecords } from '../src/ring/log-records.js';
import { transcript } from './support/fake-ring.js';

const PIN = '332588056123456';

describe('splitLogRecords', () => {
  it.each([
    'info-one-en',
    'info-one-ru',
    'validate-mismatch-en',
    'validate-mismatch-ru',
    'validate-ok-ru',
    'list-one-en',
  ])('leaves %s as it is', (name) => {
    const text = transcript(`${name}.txt`);
    expect(splitLogRecords(text)).toEqual({ text: text.trim(), records: [] });
  });

  it('takes the records of a debug run out, with their further lines', () => {
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
      'an indented line before any text',
      '[DEBUG ] a - settings:\n    key: value\ntext\n    kept',
      'text\n    kept',
    ],
    ['key : value lines', '[DEBUG ] a - b\nkey : value\nkey :\ntext', 'text'],
    [
      'a record in the middle of a text',
      'head:\n    one: 1\n[WARN  ] a - b\n    two: 2',
      'head:\n    one: 1\n    two: 2',
    ],
    ['a record at the end', 'text\n[INFO  ] a - b', 'text'],
    [
      "this machine's hardware up to the empty line",
      '[DEBUG ] x.hard.HardInfo - computer info : a\nfree text\n\ntext',
      'text',
    ],
    [
      'a licence without a customer',
      '[DEBUG ] x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \nOS name : x\ntext',
      'text',
    ],
    [
      "a customer's value of two lines",
      '[DEBUG ] x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \na\nCustomer info : \nName : x\nsecond line\npin : 1\nserial : 2\ntext',
      'text',
    ],
    ['CRLF', '[WARN  ] a - b\r\nOne\r\n  two\r\n', 'One\n  two'],
    ['a byte order mark', '\uFEFFtext', 'text'],
    [
      'warnings of the JVM',
      'Java HotSpot(TM) 64-Bit Server VM warning: x\n[0.1s][warning][cds] y\nPicked up JAVA_TOOL_OPTIONS: -Dx\ntext',
      'text',
    ],
  ])('handles %s', (_title, output, text) => {
    expect(splitLogRecords(output).text).toBe(text);
  });
});

describe('hardware', () => {
  const { records } = splitLogRecords(transcript('validate-debug-ru.txt'));

  it('is cut out of the record of the PIN', () => {
    expect(licenseHardware(records, PIN)).toMatch(/^OS name : Windows Server 2016\n[^]*size 480103981056$/);
    expect(machineHardware(records)).toMatch(/^OS name : Linux\n[^]*02:42:AC:11:00:02$/);
  });

  it('is not that of another PIN, nor of a previous one', () => {
    expect(licenseHardware(records, '111111111111111')).toBeUndefined();
    expect(licenseHardware(records, '33258805612345')).toBeUndefined();
    const moved = splitLogRecords(
      transcript('validate-debug-ru.txt').replace('previous pin : ', 'previous pin : 111111111111111'),
    );
    expect(licenseHardware(moved.records, '111111111111111')).toBeUndefined();
  });

  it('is the same with CRLF', () => {
    const crlf = splitLogRecords(transcript('validate-debug-ru.txt').replaceAll('\n', '\r\n'));
    expect(licenseHardware(crlf.records, PIN)).toBe(licenseHardware(records, PIN));
    expect(machineHardware(crlf.records)).toBe(machineHardware(records));
  });
});

describe('formatPin', () => {
  it('groups 15 digits in threes and 16 in fours', () => {
    expect(formatPin('332588056123456')).toBe('332-588-056-123-456');
    expect(formatPin('9793552411773203')).toBe('9793-5524-1177-3203');
  });
});

describe('whatever ring prints', () => {
  const level = fc.constantFrom('TRACE ', 'DEBUG ', 'INFO  ', 'WARN  ', 'ERROR ', 'FATAL ');
  const marker = fc.constantFrom(
    'x.hard.HardInfo - computer info : ',
    'x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : ',
    'a.b.C - text',
  );
  const recordLine = fc.tuple(level, marker).map(([name, text]) => `[${name}] ${text}`);
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    recordLine,
    fc.constantFrom(
      '',
      'Customer info : ',
      `pin : ${PIN}`,
      'previous pin : ',
      'OS name : Linux',
      '    Имя: Иван',
      '\tat a.b.C',
      `${PIN}-8100123456 (file name: "a.lic")`,
    ),
  );
  const output = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end]) => lines.join(end));

  it('the parsers never throw and never let a log record through', () => {
    fc.assert(
      fc.property(output, (stdout) => {
        const { text, records } = splitLogRecords(stdout);
        const texts = [text, licenseHardware(records, PIN) ?? '', machineHardware(records) ?? ''];
        for (const part of texts) {
          expect(part).not.toMatch(/^\[(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) *\] /m);
          expect(part).not.toContain('\r');
          expect(part).toBe(part.trim());
        }
        const name = parseList(text);
        if (name) expect(name.name).toMatch(/^\d{15,16}-[0-9A-Za-z]{1,32}$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('every line of a text without records stays, in order and with its indentation', () => {
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
});
