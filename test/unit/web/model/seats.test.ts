import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import { nameOf, type License } from '../../../../src/web/page/model/license.js';
import type { Seats } from '../../../../src/web/page/model/seats.js';
import { doubtText, seatsText } from '../../../../src/web/page/texts/seat-texts.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { failure, knownAs, license, viewOf } from './licenses.js';

const TODAY = '2026-11-22';
const seatsOf = (licenses: License[]) => viewOf(licenses, TODAY).seats.value;
const client = (users: number | null, facts: Partial<Facts> = {}): Partial<Facts> => ({
  kind: 'client',
  users,
  unlimited: true,
  ...facts,
});

describe('the total of seats', () => {
  it.each<[string, License, Seats]>([
    ['adds a valid client', knownAs('a', client(5)), { seats: 5, maybeReplaced: 0, notCounted: 0 }],
    ['adds one on its last day', knownAs('a', client(5, { unlimited: null, validUntil: TODAY })), adds(5)],
    ['never a server, not even with a number', knownAs('a', client(5, { kind: 'server' })), adds(0)],
    ['never an unknown kind', knownAs('a', client(5, { kind: null })), leavesOut(1)],
    ['not a client whose number nobody states', knownAs('a', client(null)), leavesOut(1)],
    ['not a client whose term nobody states', knownAs('a', client(5, { unlimited: null })), leavesOut(1)],
    ['not what nothing is known of', license('a'), leavesOut(1)],
    ['not what has expired', knownAs('a', client(5, { unlimited: null, validUntil: '2026-11-21' })), adds(0)],
    ['not what ring refused', knownAs('a', client(5), failure), adds(0)],
    ['what ring could not read in time', knownAs('a', client(5), { ...failure, canRetry: true }), adds(5)],
    ['a license once, wherever it lies', knownAs('a, b, c', client(5)), adds(5)],
  ])('%s', (_what, row, seats) => {
    expect(seatsOf([row])).toEqual(seats);
  });

  it('adds a license once that is there in two versions', () => {
    const same = client(5, { pin: '111-222-333-444-555', registrationNumber: '8100000001' });
    expect(seatsOf([knownAs('a', same), knownAs('b', same)])).toEqual(adds(5));
  });
});

function adds(seats: number): Seats {
  return { seats, maybeReplaced: 0, notCounted: 0 };
}
function leavesOut(notCounted: number): Seats {
  return { seats: 0, maybeReplaced: 0, notCounted };
}

describe('of several files with one registration number', () => {
  const NUMBER = { registrationNumber: '8100710000' };
  const one = (users: number | null, facts: Partial<Facts> = {}) =>
    knownAs('x', client(users, { ...NUMBER, ...facts }));

  it.each<[string, License[], number, number]>([
    ['one may have replaced the other', [one(500), one(500)], 1000, 1],
    ['only one is sure to count', [one(500), one(500), one(500)], 1500, 2],
    ['letters do not tell them apart', [one(500), one(500, { registrationNumber: '8100710000G0' })], 1000, 1],
    ['another number does', [one(500), one(500, { registrationNumber: '8100710001' })], 1000, 0],
    ['a server has replaced no client', [one(500), one(5, { kind: 'server' })], 500, 0],
    ['what has expired has replaced none', [one(500), one(5, { validUntil: '2020-01-01' })], 500, 0],
    ['one that is not counted may have replaced one that is', [one(500), one(null)], 500, 1],
    ['two that are not counted leave nothing in doubt', [one(null), one(null)], 0, 0],
    [
      'a previous PIN code tells which one counts',
      [
        one(500, { pin: '111-222-333-444-555' }),
        one(500, { pin: '999-222-333-444-555', previousPin: '111222333444555' }),
      ],
      500,
      0,
    ],
    [
      'no previous PIN code tells nothing: whether ring always prints it is not known',
      [one(500, { pin: '111-222-333-444-555' }), one(500, { pin: '999-222-333-444-555' })],
      1000,
      1,
    ],
  ])('%s', (_what, licenses, seats, maybeReplaced) => {
    expect(seatsOf(licenses)).toMatchObject({ seats, maybeReplaced });
  });

  it('both are shown by the filter of those that may have been replaced', () => {
    const view = viewOf([one(500), one(500), knownAs('other', client(5))], TODAY);
    view.choose('maybeReplaced');
    expect(view.shown.value.map(nameOf)).toEqual(['x', 'x']);
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
      { seats: 447, maybeReplaced: 4, notCounted: 9 },
      'до 447 мест · 4 могли быть заменены · не учтены 9: нет срока, числа мест или вида',
    ],
    [
      'with everything',
      'en',
      { seats: 447, maybeReplaced: 4, notCounted: 9 },
      'up to 447 seats · 4 may have been replaced · 9 not counted: no term, number or kind',
    ],
    [
      'with one of each',
      'ru',
      { seats: 21, maybeReplaced: 21, notCounted: 21 },
      'до 21 места · 21 могла быть заменена · не учтена 21: нет срока, числа мест или вида',
    ],
    [
      'it is no upper bound if some are not counted',
      'ru',
      { seats: 22, maybeReplaced: 0, notCounted: 5 },
      '22 места · не учтены 5: нет срока, числа мест или вида',
    ],
  ])('%s, in %s', (_what, lang, seats, text) => {
    language.value = lang;
    expect(seatsText(seats)).toBe(text);
  });

  it('of six files that may be three licenses it is not said that they are 3,000 seats', () => {
    language.value = 'en';
    const view = viewOf(ACTIVATED_AGAIN, TODAY);
    expect(seatsText(view.seats.value)).toBe('up to 3,000 seats · 3 may have been replaced');
    expect(doubtText('notCounted', view.seats.value)).toBe('');
  });
});
