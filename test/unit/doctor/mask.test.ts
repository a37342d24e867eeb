import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TextKind } from '../../../src/doctor/line-type.js';
import { Mask } from '../../../src/doctor/mask.js';
import { readableLines } from '../../../src/license/clear-text.js';
import { LICENSE_MARKER } from '../../../src/ring/output/log-records.js';
import { transcript } from '../../support/fake-ring.js';
import { windows1251 } from '../license/license-file.js';

/** The text after it and the others were learned. */
function masked(text: string, kind: TextKind, others: [string, TextKind][] = []): string {
  const mask = new Mask();
  for (const [other, otherKind] of [...others, [text, kind] as const]) mask.learn(other, otherKind);
  return mask.maskText(text, kind);
}

const HARDWARE = '[DEBUG ] com.h.H - computer info : OS name :';
const INFO: [string, TextKind] = [transcript('info-one-ru.txt'), 'info'];

it.each<[string, TextKind, string]>([
  ['the section of a program', 'info', 'TechnicalInfo:'],
  ['the words of ring', 'log', 'Лицензия не найдена. License not found'],
  ['a reason', 'log', 'По причине: Файл поврежден'],
  ['level and logger', 'log', '[WARN  ] com._1c.hard.Files - Cannot read disk'],
  ['what the launcher says of a module', 'log', transcript('launcher-no-module-ru.txt').trim()],
  ['what the launcher says of versions', 'log', transcript('launcher-two-versions.txt').trim()],
  ['what the JVM says', 'info', 'OpenJDK 64-Bit Server VM warning: the file'],
  ['the log of the JVM', 'info', '[0.012s][warning] file not found'],
  ['the trace of an exception', 'log', '\tat com._1c.A.b(A.java:1)'],
])('keeps %s', (_title, kind, text) => expect(masked(text, kind)).toBe(text));

it.each<[string, TextKind, string, string]>([
  ['a value, not its label', 'info', '    Город: Тула г, 12', '    Город: xxxx x, 00'],
  ['an unknown label', 'info', '    Новое поле: Тула', '    xxxxx xxxx: xxxx'],
  ['not the words of 1C in it', 'info', '    Город сидоровой: Тула', '    Город xxxxxxxxx: xxxx'],
  ['a name in lower case before a colon', 'info', '    тел. сидоровой: 123', '    xxx. xxxxxxxxx: 000'],
  ['a name like a section', 'info', 'McDonald: abc', 'xxxxxxxx: xxx'],
  ['the name of the file', 'info', 'Имя файла: "Иванов.lic"', 'Имя файла: "xxxxxx.lic"'],
  ['what may be the second line of a value', 'info', 'Рога: и копыта', 'xxxx: x xxxxxx'],
  ['the same if it begins with a word of ring', 'info', 'Директория: копыта', 'xxxxxxxxxx: xxxxxx'],
  ['what may be a sentence with a name', 'file', 'Выдана Ивану: да', 'xxxxxx xxxxx: xx'],
  ['the line of a value', 'file', '1С:Предприятие 8', '0x:xxxxxxxxxxx 0'],
  ['what awk says, not that it is awk', 'info', 'mawk: line 2: function x', 'mawk: xxxx 0: xxxxxxxx x'],
  ['a mark of a letter', 'info', '    Имя: Йо\u0308', '    Имя: xxx'],
  ['a term', 'file', 'Срок действия: не ограничен', 'Срок действия: xx xxxxxxxxx'],
  ['names in a reason', 'log', 'По причине: Ветрова не найдена', 'По причине: xxxxxxx не найдена'],
  ['names that begin a sentence', 'log', 'Ошибка. Иванов уже удалён', 'Ошибка. xxxxxx уже удалён'],
  ['names of computers', 'log', 'не найден buh-pc или srv', 'не найден xxx-xx или xxx'],
  ['quotes', 'log', `"мой и твой" «не его дом» 'и не наш'`, `"xxx x xxxx" «xx xxx xxx» 'x xx xxx'`],
  ['no apostrophes', 'log', "file can't read не файл's", "file xxx'x read не xxxx'x"],
  ['paths', 'log', 'cannot read /home/ivanov/x.lic', 'cannot read /xxxx/xxxxxx/x.lic'],
  ['addresses', 'log', 'a.b@c.org at 10.0.0.1 и srv.local', 'x.x@x.xxx at 00.0.0.0 и xxx.xxxxx'],
  ['words with capitals', 'log', 'user Smith на SRV и eBay', 'user xxxxx на xxx и xxxx'],
  ['all else in an error of the launcher', 'log', '[ERROR ] Модуль S 1: "я"', '[ERROR ] Модуль …'],
  ['what only looks like a logger', 'log', '[ERROR ] ivan.ivanov - in', '[ERROR ] xxxx.xxxxxx - in'],
  ['what only looks like a logger', 'log', '[INFO  ] ivan.ivanov - in', '[INFO  ] xxxx.xxxxxx - in'],
  ['a name before a colon', 'log', '[INFO  ] com.a.B - User S : a', '[INFO  ] com.a.B - User x : x'],
  ['not the class of an exception', 'log', 'java.io.IOException: Ivanov', 'java.io.IOException: xxxxxx'],
  ['not a parameter', 'log', 'Network adapter : eth0, MAC 02:42', 'Network adapter : xxx0, xxx 00:00'],
  ['not the first', 'log', `${HARDWARE} A`, `${HARDWARE} x`],
  ['not a numbered one', 'log', 'Phys mem_0: 21046472704', 'Phys mem_0: 00000000000'],
  ['differing hardware', 'log', '  Имя компьютера: SRV (в лицензии)', '  Имя компьютера: xxx (x xxxxxxxx)'],
])('masks %s', (_title, kind, text, expected) => expect(masked(text, kind)).toBe(expected));

it.each([
  ['as it is', 'город тула', 'город xxxx'],
  ['in another case', 'тУЛА', 'xxxx'],
  ['with hyphens', 'ро-маш-ка', 'xx-xxx-xx'],
  ['as a part of a word with hyphens', 'старый-свободы', 'xxxxxx-xxxxxxx'],
])('masks a value that stands elsewhere %s', (_title, text, expected) => {
  expect(masked(text, 'log', [INFO])).toBe(expected);
});

it.each([
  'Computer info : ',
  'Customer info : \npin : 0\nprevious pin : 0',
  '[INFO  ] com._1c.license.activator.hard.HardInfo - computer info : OS name : x\nComputer name : x',
  'License check failed.\nReason: Error working with the license storage.',
  'Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры не соответствуют лицензии:',
])('keeps %j, even if a value has its words', (text) => {
  const record = text.startsWith('Computer info') ? `[DEBUG ] com._1c.${LICENSE_MARKER} ` : text;
  const others: [string, TextKind][] = [
    [`    Описание: ${record}`, 'info'],
    [record.replace(/\n/g, ' '), 'file'],
  ];
  expect(masked(record, 'log', others)).toBe(record);
});

it('masks and learns a value right after a marker', () => {
  const record = `[DEBUG ] com._1c.${LICENSE_MARKER} рога\nCustomer info : копыта\n\nрога и копыта`;
  expect(masked(record, 'log')).toBe(
    `[DEBUG ] com._1c.${LICENSE_MARKER} xxxx\nCustomer info : xxxxxx\n\nxxxx и xxxxxx`,
  );
});

it('learns what may be the second line of a value, with the words before its colon', () => {
  expect(masked('не рога и не копыта', 'log', [['    Компания: лес\nрога: копыта', 'info']])).toBe(
    'не xxxx и не xxxxxx',
  );
});

it('learns the second line of a value in a debug record', () => {
  const record = `[DEBUG ] com._1c.${LICENSE_MARKER}\nCustomer info : \nКомпания : рога\nи копыта\npin : 1\n\nбез копыта`;
  expect(masked(record, 'log').split('\n').at(-1)).toBe('без xxxxxx');
});

const LABELS = ['Имя', 'Компания', 'Район', 'Город', 'Новое поле'];
const KEYS = ['Имя', 'Фамилия', 'OS name', 'Computer name', 'pin'];
const FILE_KEYS = ['Регистрационный номер', 'Наименование продукта', 'Привязка'];
const VERDICT = 'Проверка лицензии завершилась с ошибкой.';

const word = fc.stringMatching(/^[А-яЁёA-z0-9"«»№.,:/-]{1,12}$/);
// ` : ` and `: ` after a word in a further line make it a label, whoever reads it.
const lines = fc
  .array(
    fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 3 },
  )
  .filter((all) => all.slice(1).every((line) => !/:(?:\s|$)/.test(line)));
const value = lines.map((all) => all.join('\n'));
const values = (count: number) => fc.array(value, { minLength: count, maxLength: count });
const print = (keys: string[], all: string[], indent: string, colon: string) =>
  keys.map((key, i) => `${indent}${key}${colon} ${all[i]}`);

/** Tokens of three and more characters, without those of a masked text. */
const tokens = (text: string) =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}\p{Pd}]+/gu) ?? [])
      .flatMap((each) => [each.replaceAll(/\p{Pd}/gu, ''), ...each.split(/\p{Pd}/u)])
      .filter((token) => token.length >= 3 && !/^[x0]*$/.test(token)),
  );

it('of a generated license no token of a value survives, unless ring prints it for every license', () => {
  const generated = fc.record({
    info: values(5),
    record: values(5),
    file: values(3),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  });
  const textsOf = (
    info: string[],
    record: string[],
    file: string[],
    lineEnd: string,
  ): [string, TextKind][] => [
    [['Информация о пользователе:', ...print(LABELS, info, '    ', ':')].join(lineEnd), 'info'],
    [
      [
        `[DEBUG ] com._1c.${LICENSE_MARKER} `,
        ...print(KEYS, record, '', ' :'),
        `[DEBUG ] com._1c.x.HardInfo - computer info : OS name : ${record[0]}`,
        '',
        VERDICT,
        'По причине: Ключевые параметры компьютера не совпали:',
        `    Имя компьютера: ${info[0]}`,
        `[WARN  ] com._1c.x.Files - lost ${info[1]?.replaceAll('\n', ' ')} for ${file[2]?.replaceAll('\n', ' ')}`,
      ].join(lineEnd),
      'log',
    ],
    [
      readableLines(windows1251(print(FILE_KEYS, file, '', ':').join(lineEnd)), () => false).join('\n'),
      'file',
    ],
  ];
  const none = Array<string>(5).fill('');
  const printed = tokens(textsOf(none, none, none, '\n').join('\n'));
  fc.assert(
    fc.property(generated, ({ info, record, file, lineEnd }) => {
      const texts = textsOf(info, record, file, lineEnd);
      const mask = new Mask();
      for (const [text, kind] of texts) mask.learn(text, kind);
      const shown = tokens(texts.map(([text, kind]) => mask.maskText(text, kind)).join('\n'));
      const secret = tokens([...info, ...record, ...file].join('\n'));
      const isOwn = (token: string) =>
        printed.has(token) || new Mask().maskText(`${token} : `, 'log') === `${token} : `;
      expect([...secret].filter((token) => shown.has(token) && !isOwn(token))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
