import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { structure } from './structure.js';
import { transcript } from './transcripts.js';

/** Five megabytes of a text. */
const flood = (text: string) => text.repeat(Math.ceil(5_000_000 / text.length));

describe('the size limit', () => {
  it.each([
    ['labels', 'Имя: x\n'],
    ['unknown fields', '    a: b\n'],
    ['sections', 'Customer information:\n'],
    ['control characters', 'Customer information:\n    Company: \0\0\0\n'],
    ['hardware parameters', 'a : b\n'],
    ['blanks', ' '],
    ['blanks and colons', ' : '],
    ['colons', ':'],
    ['line ends', '\r\n'],
    ['one line', 'x'],
    ['digits', '1'],
    ['workplaces', 'на 1 '],
    ['quotes', '"'],
    ['Base64', 'QUJD'],
    ['lines without a label', 'a\n'],
    ['Cyrillic letters', 'я'],
  ])('holds for 5 MB of %s', (_title, text) => {
    const long = flood(text);
    for (const info of [long, `Product information:\n    Description: ${long}`]) {
      structure({
        name: long,
        pin: long,
        info,
        file: Buffer.from(`Номер: ${long}`),
        hardware: { license: long, current: `A : ${long}` },
      });
    }
  });

  it('holds when every value is as long as it can be', () => {
    const long = '\0'.repeat(10_000);
    const info = (
      transcript('info-one-en.txt') + '    District: x\n    Building: x\n    Apartment: x\n'
    ).replaceAll(/: (?!.*\d\d:\d\d).*$/gm, `: ${long.slice(0, 2_000)}`);
    const many = (n: number) => Array.from({ length: n }, (_, i) => `${i} : ${'\0'.repeat(500)}`).join('\n');
    const file = transcript('lic-tail-client-ru.txt').replaceAll(
      /^(.*(?:номер|Тип|Номер|Привязка|продукта)): ?.*$/gm,
      `$1: ${long}`,
    );
    const result = structure({
      info: `${info}Other:\n${many(100)}`,
      file: Buffer.from(file),
      hardware: { license: many(100), current: many(100).replaceAll(' : ', ' : x') },
    });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeGreaterThan(40_000);
  });

  it('cuts a long value inside no character and marks it', () => {
    const { owner } = structure({ info: `Customer information:\n    Company: ${'😀'.repeat(300)}` });
    expect(owner.company).toBe(`${'😀'.repeat(249)}…`);
  });

  it('leaves a value of 332 Cyrillic letters alone', () => {
    const company = 'я'.repeat(332);
    const { owner } = structure({ info: `Customer information:\n    Company: ${company}` });
    expect(owner.company).toBe(company);
  });
});

describe('any text', () => {
  const label = fc.constantFrom(
    'Информация о пользователе',
    'Product information',
    '    Имя',
    '    Company',
    '    Описание',
    '    License generation date',
    'Номер продукта',
    'Срок действия',
    'Дата производства',
    'Количество пользователей',
    'OS name ',
    '__proto__',
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      'на 5 рабочих мест',
      '31.12.2026',
      '31.02.2026',
      '12:30:05 03.02.2021',
      'не ограничен',
      '10',
    ),
  );
  const line = fc.oneof(
    value,
    fc.tuple(label, value).map(([name, text]) => `${name}: ${text}`),
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end]) => lines.join(end));
  const file = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    text.map((content) => Buffer.from(content)),
  );

  it('gives data that fits the schema and the size limit', () => {
    const texts = fc.record({
      name: fc.string(),
      pin: fc.string(),
      info: text,
      valid: fc.boolean(),
      file,
      hardware: fc.option(fc.record({ license: text, current: text })),
    });
    fc.assert(
      fc.property(texts, (any) => void structure(any)),
      { numRuns: 1_000 },
    );
  });
});
