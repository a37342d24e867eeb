import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import type { License } from '../../../../src/web/page/model/license.js';
import type { Assessment } from '../../../../src/web/page/model/assessment.js';
import type { Seats } from '../../../../src/web/page/model/seats.js';
import type { View } from '../../../../src/web/page/model/view.js';
import { notCountedText } from '../../../../src/web/page/license/row-texts.js';
import { seatsText, totalText } from '../../../../src/web/page/texts/seat-texts.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded, failed, refused, knownAs, license, viewOf } from './licenses.js';

const TODAY = '2026-11-22';
/** What is said of its seats. */
const whyNot = (license: License, { assessmentOf }: View) => notCountedText(license, assessmentOf(license));
const seatsOf = (licenses: License[]) => viewOf(licenses, TODAY).seats.value;
const client = (users: number | null, facts: Partial<Facts> = {}): Partial<Facts> => ({
  kind: 'client',
  users,
  unlimited: true,
  ...facts,
});

describe('why the seats of a license are not in the total', () => {
  const valid = client(5);
  it.each<[Assessment['whyNotCounted'], string, License]>([
    [undefined, 'a valid client', knownAs('a', valid)],
    [undefined, 'one on its last day', knownAs('a', client(5, { unlimited: null, validUntil: TODAY }))],
    [undefined, 'what ring could not read in time', knownAs('a', valid, failed)],
    ['server', 'a server, also with a number', knownAs('a', client(5, { kind: 'server' }))],
    ['seatsEnded', 'expired', knownAs('a', client(5, { unlimited: null, validUntil: '2026-11-21' }))],
    ['seatsNoKind', 'an unknown kind', knownAs('a', client(5, { kind: null }))],
    ['seatsNoNumber', 'a client whose number nobody states', knownAs('a', client(null))],
    ['seatsNoTerm', 'a client whose term nobody states', knownAs('a', client(5, { unlimited: null }))],
    ['seatsNoTerm', 'what nothing is known of yet', license('a')],
    ['seatsNotRead', 'a client that ring refused', knownAs('a', valid, refused)],
    [
      'seatsEnded',
      'an expired one that ring refused',
      knownAs('a', client(5, { validUntil: '2020-01-01' }), refused),
    ],
    ['noLicense', 'a refused file that says nothing', license('a', { answer: refused })],
  ])('%s: %s', (reason, _what, row) => {
    expect(viewOf([row], TODAY).assessmentOf(row).whyNotCounted).toBe(reason);
  });

  it('counts a license once, in several places and in two versions', () => {
    const same = client(5, { pin: '111-222-333-444-555', registrationNumber: '8100000001' });
    expect(seatsOf([knownAs('a, b, c', valid)])).toEqual(adds(5));
    expect(seatsOf([knownAs('a', same), knownAs('b', same)])).toEqual(adds(5));
  });
});

function adds(total: number): Seats {
  return { total, isUpperBound: false, maybeReplaced: 0, notCounted: 0 };
}

/** The clear text of a license for clients, as 1C writes it. */
const linesOf = (kit: number, users: number, computer: string, produced: string, until: string) => [
  'Регистрационный номер: 8100710000',
  'Тип лицензии: клиент',
  `Наименование продукта: 1С:Предприятие 8 ПРОФ. Клиентская лицензия на ${kit} рабочих мест`,
  `Дата производства: ${produced}`,
  `Срок действия: ${until}`,
  `Количество пользователей: ${users}`,
  'Количество пинкодов в группе: 3',
  `Привязка: ${computer}, Intel64 Family 6 Model 85 Stepping 7, 32768Mb RAM, Windows Server 2019`,
];

describe('of several files with one registration number', () => {
  const one = (users: number | null, facts: Partial<Facts> = {}, answer?: typeof refused) =>
    knownAs('x', client(users, { registrationNumber: '8100710000', ...facts }), answer);
  const kit = (size: number, users: number | null, facts: Partial<Facts> = {}) =>
    one(users, { product: `1С:Предприятие 8. Клиентская лицензия на ${size} рабочих мест`, ...facts });
  const on = (computer: string, year: number | null, facts: Partial<Facts> = {}) => ({
    computer,
    producedAt: year === null ? null : `${year}-05-05T10:00:00`,
    ...facts,
  });
  const pins = { pin: '111-222-333-444-555' };
  const next = { pin: '999-222-333-444-555', previousPin: '111222333444555' };

  /** The total of seats; behind it the places of the rows in doubt, and of those that lead to a newer one. */
  it.each<[string, License[], string]>([
    ['each may have replaced the other', [one(500), one(500)], 'up to 1,000; in doubt 0 1'],
    ['one alone is not in doubt', [one(500)], '500'],
    [
      'letters do not tell them apart',
      [one(500), one(500, { registrationNumber: '8100710000G0' })],
      'up to 1,000; in doubt 0 1',
    ],
    ['another number does', [one(500), one(500, { registrationNumber: '8100710001' })], '1,000'],
    ['a server has replaced no client', [one(500), one(5, { kind: 'server' })], '500'],
    ['what has expired has replaced none', [one(500), one(5, { validUntil: '2020-01-01' })], '500'],
    ['what ring refused has replaced none', [one(500), one(5, {}, refused)], '500'],
    [
      'one that is not counted may have replaced one that is',
      [one(500), one(null)],
      'up to 500; in doubt 0 1',
    ],
    ['two that are not counted leave nothing in doubt', [one(null), one(null)], ''],
    ['a previous PIN code tells which one counts', [one(500, pins), one(500, next)], '500'],
    [
      'without a previous PIN code nobody knows',
      [one(500, pins), one(500, { pin: next.pin })],
      'up to 1,000; in doubt 0 1',
    ],
    [
      'on one computer the last one is sure',
      [one(500, on('A', 2024)), one(500, on('a', 2026)), one(500, on('A', 2022))],
      'up to 1,500; in doubt 0 2; has a newer one 0 2',
    ],
    [
      'of one date on one computer none is',
      [one(500, on('A', 2024)), one(500, on('A', 2024))],
      'up to 1,000; in doubt 0 1',
    ],
    [
      'without a date neither',
      [one(500, on('A', null)), one(500, on('A', 2024))],
      'up to 1,000; in doubt 0 1',
    ],
    [
      'a later one that ring refused tells nothing',
      [one(500, on('A', 2022)), one(500, on('A', 2026), refused)],
      '500',
    ],
    [
      'one that ring refused has a newer one',
      [one(500, on('A', 2022), refused), one(500, on('A', 2026))],
      '500; has a newer one 0',
    ],
    [
      'an expired one has a newer one',
      [one(500, on('A', 2022, { validUntil: '2020-01-01' })), one(500, on('A', 2026))],
      '500; has a newer one 0',
    ],
    [
      'a server has a newer server, and no client',
      [
        one(null, on('A', 2022, { kind: 'server' })),
        one(500, on('A', 2024)),
        one(null, on('A', 2026, { kind: 'server' })),
      ],
      '500; has a newer one 0',
    ],
    [
      'a small kit on several computers has places for all',
      [1, 2, 3, 4, 5].map((pc) => {
        const clearText = linesOf(5, 1, `PC-${pc}`, '27.10.2022 08:49:37', 'не ограничен');
        return license(`${pc}`, { clearText });
      }),
      '5',
    ],
    [
      'but not for more, and bounds the total',
      [kit(20, 20, on('A', 2022)), kit(20, 1, on('B', 2022))],
      'up to 20; in doubt 0 1',
    ],
    [
      'nor does one that only its product code tells',
      ['A', 'B'].map((pc) => one(20, on(pc, 2022, { productCode: '0000000100020' }))),
      'up to 20; in doubt 0 1',
    ],
    [
      'it has places for both on one computer, too',
      [kit(5, 1, on('A', 2022)), kit(5, 1, on('A', 2026))],
      '2; has a newer one 0',
    ],
    [
      'the last one of a small kit makes the total sure',
      [
        ['05.05.2022 10:04:05', '08.12.2026'],
        ['27.11.2026 09:00:00', '08.12.2027'],
      ].map(([produced = '', until = '']) =>
        license(until, { clearText: linesOf(50, 50, 'SRV-1C-02', produced, until) }),
      ),
      '50; in doubt 0; has a newer one 0',
    ],
    [
      'a large kit has several PIN codes',
      [kit(500, 500, on('A', 2022)), kit(500, 500, on('B', 2022))],
      'up to 1,000; in doubt 0 1',
    ],
    [
      'a kit of two names bounds nothing',
      [kit(5, 5, on('A', 2022)), kit(20, 20, on('B', 2022))],
      'up to 25; in doubt 0 1',
    ],
    ['what does not say its number may have any', [kit(5, 1), kit(5, null)], 'up to 1; in doubt 0 1'],
  ])('%s', (_what, licenses, expected) => {
    language.value = 'en';
    const view = viewOf(licenses, TODAY);
    const { seats, counts, assessmentOf } = view;
    const placesWith = (key: 'maybeReplaced' | 'newer') =>
      licenses.flatMap((license, place) => (assessmentOf(license)[key] ? [place] : []));
    const doubtful = placesWith('maybeReplaced');
    const outdated = placesWith('newer');
    const told = [
      totalText(seats.value).replace(/ seats?$/, ''),
      doubtful.length > 0 && `in doubt ${doubtful.join(' ')}`,
      outdated.length > 0 && `has a newer one ${outdated.join(' ')}`,
    ];
    expect(told.filter((part) => part !== false).join('; ')).toBe(expected);

    // A control shows as many rows as it says.
    expect(counts.value.maybeReplaced).toBe(doubtful.length);
    expect(seats.value.maybeReplaced).toBe(doubtful.length);
  });
});

it('what a small kit has no places for adds nothing: the parts of a list add up to the whole', () => {
  language.value = 'en';
  const made = (produced: string, until: string) =>
    license(until, { clearText: linesOf(50, 50, 'SRV-1C-02', produced, until) });
  const older = made('05.05.2022 10:04:05', '08.12.2026');
  const newer = made('27.11.2026 09:00:00', '08.12.2027');
  const view = viewOf([older, newer], TODAY);
  const groups = view.groups.value.map(({ heading, seats }) => [heading, totalText(seats)]);
  expect(groups).toEqual([
    ['soon', ''],
    ['later', '50 seats'],
  ]);
  expect(whyNot(older, view)).toBe('50, 0 of them counted: the kit has 50 in all');
  expect(whyNot(newer, view)).toBe('');

  // Whatever is shown.
  view.choose('expiring');
  expect(view.shown.value).toEqual([older]);
  expect(totalText(view.seats.value)).toBe('');
});

describe('a file that ring refused', () => {
  const clearTextOf = (computer: string, produced: string) =>
    linesOf(20, 20, computer, produced, '18.12.2026');
  const clearText = clearTextOf('SRV-1C-08', '11.08.2019 10:31:05');
  const holed = () => license('holed', { clearText, answer: refused });
  const readCopy = (clearText: string[]) =>
    license('copy', { answer: decoded({ registrationNumber: '8100710000', clearText }) });

  it('stays among those that expire soon, and its seats are not counted', () => {
    const view = viewOf([holed()], TODAY);
    expect(view.counts.value).toMatchObject({
      expiring: 1,
      clients: 1,
      failures: 1,
      notCounted: 1,
      notRead: 0,
    });
    expect(view.groups.value.map(({ heading }) => heading)).toEqual(['soon']);
    expect(seatsOf([holed()])).toEqual({ ...adds(0), notCounted: 1 });
  });

  it.each<[string, License, boolean]>([
    ['is replaced by an intact copy that was read', readCopy(clearText), true],
    ['not by one that is not read yet', license('copy', { clearText }), false],
    ['not by one of another day', readCopy(clearTextOf('SRV-1C-08', '11.08.2020 10:31:05')), false],
    ['not by one of another computer', readCopy(clearTextOf('SRV-1C-09', '11.08.2019 10:31:05')), false],
  ])('%s', (_what, copy, isReplaced) => {
    const damaged = holed();
    const view = viewOf([damaged, copy], TODAY);
    expect(view.assessmentOf(damaged)).toMatchObject(
      isReplaced
        ? {
            validity: 'replaced',
            replacement: { by: copy, how: 'intactCopy' },
            whyNotCounted: 'seatsElsewhere',
          }
        : { validity: 'soon', replacement: undefined, whyNotCounted: 'seatsNotRead' },
    );
    expect(view.seats.value.notCounted).toBe(isReplaced ? 0 : 1);
    expect(view.seats.value.maybeReplaced).toBe(0);
  });
});

describe('in words', () => {
  const everything = { total: 447, isUpperBound: true, maybeReplaced: 4, notCounted: 9 };
  it.each<[string, 'ru' | 'en', Seats, string]>([
    ['without doubt', 'ru', adds(447), '447 мест'],
    ['without doubt', 'en', adds(1), '1 seat'],
    ['of servers alone', 'ru', adds(0), ''],
    ['with everything', 'ru', everything, 'до 447 мест · 4, возможно, заменены · ещё 9 не учтено'],
    ['with everything', 'en', everything, 'up to 447 seats · 4 may have been replaced · 9 more not counted'],
    [
      'with one of each',
      'ru',
      { total: 21, isUpperBound: false, maybeReplaced: 21, notCounted: 21 },
      '21 место · 21, возможно, заменена · ещё 21 не учтена',
    ],
  ])('%s, in %s', (_what, lang, seats, text) => {
    language.value = lang;
    expect(seatsText(seats)).toBe(text);
  });

  it.each([
    [client(50, { unlimited: null }), undefined, '50, not counted: term unknown'],
    [client(null), undefined, 'not counted: number of seats not stated'],
    [client(20), refused, '20, not counted: the file could not be read'],
    [client(20, { validUntil: '2020-01-01' }), undefined, '20, not counted: no longer valid'],
    [client(20, { kind: 'server' }), undefined, ''],
    [client(20), undefined, ''],
  ])('why %j is not counted', (facts, answer, text) => {
    language.value = 'en';
    const row = knownAs('a', facts, answer);
    expect(whyNot(row, viewOf([row], TODAY))).toBe(text);
  });
});
