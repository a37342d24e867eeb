import { describe, expect, it } from 'vitest';
import { formatPin, parseList } from '../../../../src/ring/output/license-name.js';
import { splitLogRecords } from '../../../../src/ring/output/log-records.js';
import { transcript } from '../../../support/fake-ring.js';

const PIN = '332588056123456';

describe('parseList', () => {
  it.each([
    ['an empty list', transcript('list-empty.txt')],
    ['a missing directory', transcript('list-nodir-ru.txt')],
    ['a name with an option in it', `${PIN}---help`],
    ['a name with a path in it', `${PIN}-../../etc`],
    ['a name of 33 letters', `${PIN}-${'a'.repeat(33)}`],
    ['a PIN of 14 digits', '33258805612345-8100123456'],
    ['a PIN of 17 digits', '33258805612345678-8100123456'],
    ['a PIN in other digits', '٣٣٢٥٨٨٠٥٦١٢٣٤٥٦-8100123456'],
    ['a name in quotes', `Проверка лицензии "${PIN}-8100123456" выполнена успешно.`],
    ['a name after a quote', `"${PIN}-8100123456`],
    ['a name after a letter', `a${PIN}-8100123456`],
    ['a name after a hyphen', `1-${PIN}-8100123456`],
    ['a name after a slash', `/tmp/${PIN}-8100123456`],
    ['a name followed by text', `${PIN}-8100123456 не найдена`],
    ['a name followed by a dot', `Лицензия ${PIN}-8100123456.`],
    ['a name followed by text with brackets', `${PIN}-8100123456 не найдена (1)`],
    ['a bracket that does not end', `${PIN}-8100123456 (file name: `],
    ['a PIN of another form without a file', 'ABC-12345'],
    ['a PIN of another form before other brackets', 'ABC-12345 (1)'],
    ['a name of 65 characters', `${'a'.repeat(60)}-1234 (file name: "a.lic")`],
    ['a name with an option in it, before a file', 'ABC---help (file name: "a.lic")'],
    ['an option before a file', '--path-x (file name: "a.lic")'],
    ['a path before a file', '/tmp/ABC-12345 (file name: "a.lic")'],
    ['words before a file', 'Лицензия ABC-12345 (file name: "a.lic")'],
    ['a word before a file', 'Лицензия: ABC (file name: "a.lic")'],
    ['a bracket that does not end behind a file', 'ABC-12345 (file name: "a.lic" '],
  ])('finds no license in %s', (_title, text) => expect(parseList(text)).toBeUndefined());

  it.each([
    ['a Russian list', 'list-one-ru.txt', `${PIN}-8100123456`],
    ['an English list', 'list-one-en.txt', `${PIN}-8100123456`],
    ['a bare name with letters', 'list-bare.txt', `${PIN}-800123456G0`],
    ['a 16-digit PIN and CRLF', 'list-crlf-en.txt', '9793552411773203-20009305688'],
    ['a Cyrillic path with spaces', 'list-path-ru.txt', `${PIN}-8100123456`],
    ['warnings before the name', 'list-warn-en.txt', `${PIN}-8100123456`],
    ['the first of two names with empty lines between', 'list-two-bare-ru.txt', `${PIN}-8100123456`],
  ])('reads %s', (_title, list, name) => {
    const { text } = splitLogRecords(transcript(list));
    const [pin, registrationNumber] = name.split('-');
    expect(parseList(text)).toEqual({ name, pin, registrationNumber });
  });

  it.each([
    ['332-588-056-123-456-8100123456', PIN, '8100123456'],
    ['9793-5524-1177-3203-20009305688', '9793552411773203', '20009305688'],
    ['ABC-12345', 'ABC', '12345'],
    ['12-34-800G0', '12-34', '800G0'],
    [`${'a'.repeat(59)}-1234`, 'a'.repeat(59), '1234'],
  ])('finds the PIN code and the number in the name %s before a file', (name, pin, registrationNumber) => {
    const license = { name, pin, registrationNumber };
    expect(parseList(`${name} (file name: "a.lic")`)).toEqual(license);
    expect(parseList(`  ${name}(file: "a (1).lic") \r`)).toEqual(license);
    expect(parseList(`Лицензия: ${name} (имя файла: "/tmp/a (1)/«b».lic")`)).toEqual(license);
  });

  it.each([
    ['a prefix without a blank', `Лицензия:${PIN}-81G0`],
    ['a prefix and the file', `Лицензия: ${PIN}-81G0 (имя файла: "a (1).lic")`],
    ['the file and blanks', `${PIN}-81G0 (file name: "a.lic") \t\r`],
    ['a number', `1. ${PIN}-81G0`],
    ['blanks', `  \u00A0\t${PIN}-81G0  `],
    ['lines without a name', `Найдено лицензий: 1\n(*)\n${PIN}-81G0`],
    ['the name in quotes', `"${PIN}-81G0" ${PIN}-81G0`],
    ['what begins like a name', `${PIN}-81 ${PIN}-81G0`],
    ['a longer number', `${PIN}${PIN}-1: ${PIN}-81G0`],
  ])('reads a name with %s around it', (_title, text) =>
    expect(parseList(text)).toEqual({ name: `${PIN}-81G0`, pin: PIN, registrationNumber: '81G0' }),
  );

  // One that backtracks takes a minute or more, longer than the time a test gets.
  it.each([
    ['blanks', ' '.repeat(400_000)],
    ['brackets', '()'.repeat(200_000)],
    ['open brackets', ' ('.repeat(200_000)],
    ['names', ` ${PIN}-1 (`.repeat(20_000)],
    ['short names', 'a-'.repeat(200_000)],
    ['labels', ': a-1 ("'.repeat(50_000)],
  ])('reads a line with 400,000 characters of %s in linear time', (_title, filler) =>
    expect(parseList(`${PIN}-1${filler}x`)).toBeUndefined(),
  );
});

it('PINs of 15 and 16 digits are written in groups, and those of another form as they are', () => {
  const pins = [PIN, '9793552411773203', '12-34', '33258805612345678'];
  const written = ['332-588-056-123-456', '9793-5524-1177-3203', '12-34', '33258805612345678'];
  expect(pins.map(formatPin)).toEqual(written);
});
