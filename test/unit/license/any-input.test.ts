import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastLines, splitLogRecords } from '../../../src/ring/output/log-records.js';
import { structure } from './structure.js';

/** Two megabytes of a text, the most that is taken from ring. */
const flood = (text: string) => text.repeat(Math.ceil(2_000_000 / text.length));

const FLOODS = [
  ...['Имя: x\n', '    a: b\n', 'Customer information:\n', `${'\0'.repeat(64)}:\n${' a\n'.repeat(9_999)}`],
  ...[
    `${'x'.repeat(9_999)}:\n${' a\n'.repeat(9_999)}`,
    'Customer information:\n    Company: \0\0\0\n',
    'a : b\n',
  ],
  ...[' ', ' : ', ':', '\r\n', '1', 'на 1 ', '"', 'QUJD', 'a\n', 'я'],
];

it.each(FLOODS.map((text) => [text.slice(0, 40), text]))(
  'a result of bounded size comes of 2 MB of %j',
  (_title, text) => {
    const long = flood(text);
    for (const stdout of [long, `Product information:\n    Description: ${long}`]) {
      structure({
        info: splitLogRecords(stdout).text,
        file: Buffer.from(`Номер: ${long}`),
        hardware: { license: lastLines(long), current: lastLines(`A : ${long}`) },
      });
    }
  },
);

it('a result of bounded size comes of texts as long as they can be, which lose nothing', () => {
  const nul = '\0'.repeat(55);
  const lines = (separator: string) => Array.from({ length: 1_000 }, (_, i) => `${i}${separator}${nul}`);
  const { other, file, hardware } = structure({
    info: lastLines(`Other:\n${lines(': ').slice(1).join('\n')}`),
    file: Buffer.from(`Регистрационный номер: ${nul.repeat(1_000)}\n`),
    hardware: { license: lastLines(lines(' : ').join('\n')), current: lastLines(lines(' : x').join('\n')) },
  });
  expect(other.at(-1)).toEqual({ section: 'Other', name: '999', value: nul });
  expect(file?.registrationNumber).toHaveLength(55_000);
  expect(hardware?.license.at(-1)).toEqual({ name: '999', values: [nul] });
  expect(hardware?.differences).toHaveLength(1_000);
});

const LABELS =
  'Информация о пользователе|Product information|    Имя|    Company|    Описание|    License generation date|' +
  'Номер продукта|Срок действия|Дата производства|Количество пользователей|OS name |__proto__';
const label = fc.constantFrom(...LABELS.split('|'));
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'на 5 рабочих мест', '31.12.2026', '31.02.2026', '12:30:05 03.02.2021', 'не ограничен'),
  fc.constant('10'),
);
const labeled = fc.tuple(label, value).map((parts) => parts.join(': '));
const line = fc.oneof(value, labeled);
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, end]) => lines.join(end));
const encoded = text.map((content) => Buffer.from(content));
const file = fc.oneof(fc.uint8Array({ maxLength: 2_000 }), encoded);

it('any text gives data that fits the schema and the size limit', () => {
  const texts = fc.record({
    pin: fc.string(),
    registrationNumber: fc.string(),
    info: text,
    valid: fc.boolean(),
    file,
    hardware: fc.option(fc.record({ license: text, current: text })),
  });
  const anyTexts = fc.property(texts, (any) => void structure(any));
  fc.assert(anyTexts, { numRuns: 1_000 });
});
