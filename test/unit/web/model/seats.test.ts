import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import type { License } from '../../../../src/web/page/model/license.js';
import type { Failure } from '../../../../src/web/page/model/problem.js';
import type { SeatStatus } from '../../../../src/web/page/model/seat-status.js';
import type { Seats } from '../../../../src/web/page/model/seats.js';
import { notCountedText } from '../../../../src/web/page/license/row-texts.js';
import { seatsText, totalText } from '../../../../src/web/page/texts/seat-texts.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded, failure, knownAs, license, viewOf } from './licenses.js';

const TODAY = '2026-11-22';
const seatsOf = (licenses: License[]) => viewOf(licenses, TODAY).seats.value;
const client = (users: number | null, facts: Partial<Facts> = {}): Partial<Facts> => ({
  kind: 'client',
  users,
  unlimited: true,
  ...facts,
});

describe('a license stands to the total of seats as', () => {
  const valid = client(5);
  it.each<[SeatStatus, string, License]>([
    ['counted', 'a valid client', knownAs('a', valid)],
    ['counted', 'one on its last day', knownAs('a', client(5, { unlimited: null, validUntil: TODAY }))],
    ['counted', 'what ring could not read in time', knownAs('a', valid, { ...failure, canRetry: true })],
    ['server', 'a server, also with a number', knownAs('a', client(5, { kind: 'server' }))],
    ['ended', 'expired', knownAs('a', client(5, { unlimited: null, validUntil: '2026-11-21' }))],
    ['seatsNoKind', 'an unknown kind', knownAs('a', client(5, { kind: null }))],
    ['seatsNoNumber', 'a client whose number nobody states', knownAs('a', client(null))],
    ['seatsNoTerm', 'a client whose term nobody states', knownAs('a', client(5, { unlimited: null }))],
    ['seatsNoTerm', 'what nothing is known of yet', license('a')],
    ['seatsNotRead', 'a client that ring refused', knownAs('a', valid, failure)],
    [
      'ended',
      'an expired one that ring refused',
      knownAs('a', client(5, { validUntil: '2020-01-01' }), failure),
    ],
    ['noLicense', 'a refused file that says nothing', license('a', { answer: failure })],
  ])('%s: %s', (status, _what, row) => {
    expect(viewOf([row], TODAY).seatStatusOf(row)).toBe(status);
  });

  it('counts a license once, in several places and in two versions', () => {
    const same = client(5, { pin: '111-222-333-444-555', registrationNumber: '8100000001' });
    expect(seatsOf([knownAs('a, b, c', valid)])).toEqual(adds(5));
    expect(seatsOf([knownAs('a', same), knownAs('b', same)])).toEqual(adds(5));
  });
});

function adds(seats: number): Seats {
  return { seats, isUpperBound: false, maybeReplaced: 0, notCounted: 0 };
}

describe('of several files with one registration number', () => {
  const one = (users: number | null, facts: Partial<Facts> = {}, answer?: Failure) =>
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

  // The rows in doubt, and those that lead to a later one, by their places.
  it.each<[string, License[], string, number[], number[]]>([
    ['each may have replaced the other', [one(500), one(500)], 'up to 1,000', [0, 1], []],
    ['one alone is not in doubt', [one(500)], '500', [], []],
    [
      'letters do not tell them apart',
      [one(500), one(500, { registrationNumber: '8100710000G0' })],
      'up to 1,000',
      [0, 1],
      [],
    ],
    ['another number does', [one(500), one(500, { registrationNumber: '8100710001' })], '1,000', [], []],
    ['a server has replaced no client', [one(500), one(5, { kind: 'server' })], '500', [], []],
    ['what has expired has replaced none', [one(500), one(5, { validUntil: '2020-01-01' })], '500', [], []],
    ['what ring refused has replaced none', [one(500), one(5, {}, failure)], '500', [], []],
    ['one that is not counted may have replaced one that is', [one(500), one(null)], 'up to 500', [0, 1], []],
    ['two that are not counted leave nothing in doubt', [one(null), one(null)], '', [], []],
    ['a previous PIN code tells which one counts', [one(500, pins), one(500, next)], '500', [], []],
    [
      'without a previous PIN code nobody knows',
      [one(500, pins), one(500, { pin: next.pin })],
      'up to 1,000',
      [0, 1],
      [],
    ],
    [
      'on one computer the last one is sure',
      [one(500, on('A', 2024)), one(500, on('a', 2026)), one(500, on('A', 2022))],
      'up to 1,500',
      [0, 2],
      [0, 2],
    ],
    [
      'of one date on one computer none is',
      [one(500, on('A', 2024)), one(500, on('A', 2024))],
      'up to 1,000',
      [0, 1],
      [],
    ],
    ['without a date neither', [one(500, on('A', null)), one(500, on('A', 2024))], 'up to 1,000', [0, 1], []],
    [
      'a later one that ring refused tells nothing',
      [one(500, on('A', 2022)), one(500, on('A', 2026), failure)],
      '500',
      [],
      [],
    ],
    [
      'one that ring refused has a later one',
      [one(500, on('A', 2022), failure), one(500, on('A', 2026))],
      '500',
      [],
      [0],
    ],
    [
      'an expired one has a later one',
      [one(500, on('A', 2022, { validUntil: '2020-01-01' })), one(500, on('A', 2026))],
      '500',
      [],
      [0],
    ],
    [
      'a server has a later server, and no client',
      [
        one(null, on('A', 2022, { kind: 'server' })),
        one(500, on('A', 2024)),
        one(null, on('A', 2026, { kind: 'server' })),
      ],
      '500',
      [],
      [0],
    ],
    [
      'a small kit on several computers has places for all',
      [1, 2, 3, 4, 5].map((pc) => kit(5, 1, on(`PC-${pc}`, 2022))),
      '5',
      [],
      [],
    ],
    [
      'but not for more, and bounds the total',
      [kit(20, 20, on('A', 2022)), kit(20, 1, on('B', 2022))],
      'up to 20',
      [0, 1],
      [],
    ],
    [
      'nor does one that only its product code tells',
      ['A', 'B'].map((pc) => one(20, on(pc, 2022, { productCode: '0000000100020' }))),
      'up to 20',
      [0, 1],
      [],
    ],
    [
      'it has places for both on one computer, too',
      [kit(5, 1, on('A', 2022)), kit(5, 1, on('A', 2026))],
      '2',
      [],
      [0],
    ],
    [
      'the last one of a small kit makes the total sure',
      [kit(50, 50, on('A', 2022)), kit(50, 50, on('A', 2026))],
      '50',
      [0],
      [0],
    ],
    [
      'a large kit has several PIN codes',
      [kit(500, 500, on('A', 2022)), kit(500, 500, on('B', 2022))],
      'up to 1,000',
      [0, 1],
      [],
    ],
    [
      'a kit of two names bounds nothing',
      [kit(5, 5, on('A', 2022)), kit(20, 20, on('B', 2022))],
      'up to 25',
      [0, 1],
      [],
    ],
    ['what does not say its number may have any', [kit(5, 1), kit(5, null)], 'up to 1', [0, 1], []],
  ])('%s', (_what, licenses, total, doubtful, withLater) => {
    language.value = 'en';
    const view = viewOf(licenses, TODAY);
    const { kits, seats, counts } = view;
    const placesOf = (isIn: (license: License) => boolean) =>
      licenses.flatMap((license, place) => (isIn(license) ? [place] : []));
    expect(totalText(seats.value).replace(/ seats?$/, '')).toBe(total);
    expect(placesOf((license) => kits.value.doubtful.has(license))).toEqual(doubtful);
    expect(placesOf((license) => kits.value.later.has(license))).toEqual(withLater);

    // A control shows as many rows as it says.
    expect([counts.value.maybeReplaced, seats.value.maybeReplaced]).toEqual([
      doubtful.length,
      doubtful.length,
    ]);
  });
});

describe('a file that ring refused', () => {
  const facts = client(20, {
    registrationNumber: '8100411921',
    computer: 'SRV-1C-08',
    producedAt: '2019-08-11T10:31:05',
    unlimited: null,
    validUntil: '2026-12-18',
  });
  const holed = () => knownAs('holed', facts, failure);
  const answer = decoded({
    registrationNumber: '8100411921',
    clearText: [
      'Тип лицензии: клиент',
      'Дата производства: 11.08.2019 10:31:05',
      'Срок действия: 18.12.2026',
      'Количество пользователей: 20',
      'Привязка: SRV-1C-08, Intel64',
    ],
  });

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
    ['is replaced by an intact copy that was read', license('copy', { answer }), true],
    ['not by one that is not read yet', knownAs('copy', facts), false],
    [
      'not by one of another day',
      knownAs(
        'copy',
        { ...facts, producedAt: '2020-08-11T10:31:05' },
        decoded({ registrationNumber: '8100411921' }),
      ),
      false,
    ],
    [
      'not by one of another computer',
      knownAs('copy', { ...facts, computer: 'SRV-1C-09' }, decoded({ registrationNumber: '8100411921' })),
      false,
    ],
  ])('%s', (_what, copy, isReplaced) => {
    const damaged = holed();
    const view = viewOf([damaged, copy], TODAY);
    expect(view.validityOf(damaged)).toBe(isReplaced ? 'replaced' : 'soon');
    expect(view.replacements.value.intactCopies.get(damaged)).toBe(isReplaced ? copy : undefined);
    expect(view.seats.value.notCounted).toBe(isReplaced ? 0 : 1);
    expect(view.seats.value.maybeReplaced).toBe(0);
  });
});

/** Three licenses, and in another folder those that they have replaced: the clear text of their files tells nothing of it. */
const ACTIVATED_AGAIN = ['0', '1', '2'].flatMap((digit) =>
  ['licenses', 'licenses/old_lic'].map((folder, place) =>
    license(`${folder}/${digit}.lic`, {
      fingerprint: `${folder}${digit}`,
      clearText: [
        `Регистрационный номер: 810071000${digit}G0`,
        'Тип лицензии: клиент',
        'Наименование продукта: 1С:Предприятие 8 ПРОФ. Клиентская лицензия на 500 рабочих мест',
        'Срок действия: не ограничен',
        'Количество пользователей: 500',
        `Привязка: ${place === 0 ? 'SRV-NEW' : 'SRV-OLD'}, Intel64 Family 6`,
      ],
    }),
  ),
);

describe('in words', () => {
  it.each<[string, 'ru' | 'en', Seats, string]>([
    ['without doubt', 'ru', adds(447), '447 мест'],
    ['without doubt', 'en', adds(1), '1 seat'],
    ['of servers alone', 'ru', adds(0), ''],
    [
      'with everything',
      'ru',
      { seats: 447, isUpperBound: true, maybeReplaced: 4, notCounted: 9 },
      'до 447 мест · 4 могли быть заменены · не учтено 9',
    ],
    [
      'with everything',
      'en',
      { seats: 447, isUpperBound: true, maybeReplaced: 4, notCounted: 9 },
      'up to 447 seats · 4 may have been replaced · 9 not counted',
    ],
    [
      'with one of each',
      'ru',
      { seats: 21, isUpperBound: false, maybeReplaced: 21, notCounted: 21 },
      '21 место · 21 могла быть заменена · не учтена 21',
    ],
  ])('%s, in %s', (_what, lang, seats, text) => {
    language.value = lang;
    expect(seatsText(seats)).toBe(text);
  });

  it('of six files that may be three licenses it is not said that they are 3,000 seats', () => {
    language.value = 'en';
    const view = viewOf(ACTIVATED_AGAIN, TODAY);
    expect(seatsText(view.seats.value)).toBe('up to 3,000 seats · 6 may have been replaced');
  });

  it.each([
    [client(50, { unlimited: null }), undefined, '50, term unknown'],
    [client(null), undefined, 'number of seats unknown'],
    [client(20), failure, '20, could not be read'],
    [client(20), undefined, ''],
  ])('why %j is not counted', (facts, answer, text) => {
    language.value = 'en';
    const row = knownAs('a', facts, answer);
    expect(notCountedText(row, viewOf([row], TODAY))).toBe(text);
  });
});
