import { describe, expect, it } from 'vitest';
import {
  combine,
  isExpired,
  NO_FACTS,
  ofAnswer,
  ofClearText,
  type ClearText,
  type Facts,
} from '../../../../src/web/page/model/facts.js';
import { decoded } from './licenses.js';

const CLEAR_TEXT: ClearText = {
  registrationNumber: 'number in the file',
  type: 'клиент',
  productCode: 'code in the file',
  productName: 'product in the file',
  producedAt: null,
  users: 5,
  pinCount: 1,
  unlimited: false,
  validUntil: '2026-12-31',
  validUntilTime: null,
  boundTo: 'ROMASHKA, Windows',
};

/** An answer whose texts say from where they are. */
function answerWith(
  product: Partial<ReturnType<typeof decoded>['structured']['product']> = {},
  parts: Partial<ReturnType<typeof decoded>['structured']> = {},
) {
  const answer = decoded({ pin: '111222333444555' });
  const { structured } = answer;
  const nothing = { description: null, users: null, registrationNumber: null, productCode: null };
  return {
    ...answer,
    structured: {
      ...structured,
      file: CLEAR_TEXT,
      ...parts,
      product: { ...structured.product, ...nothing, ...product },
    },
  };
}

describe('of an answer', () => {
  it.each<[string, ReturnType<typeof answerWith>, Partial<Facts>]>([
    [
      'ring counts',
      answerWith({ users: 20, description: 'p', registrationNumber: 'n', productCode: 'c' }),
      { users: 20, product: 'p', registrationNumber: 'n', productCode: 'c' },
    ],
    [
      'the file counts where ring says nothing',
      answerWith(),
      {
        pin: '111-222-333-444-555',
        users: 5,
        product: 'product in the file',
        registrationNumber: 'number in the file',
        productCode: 'code in the file',
        validUntil: '2026-12-31',
        unlimited: false,
      },
    ],
    [
      'the name has the number where nothing else has it',
      answerWith({}, { file: null }),
      { registrationNumber: '800123456' },
    ],
    ['ring names the computer', answerWith({}, { computer: 'SRV' }), { computer: 'SRV' }],
    ['ring names no computer', answerWith({}, { computer: null }), { computer: null }],
    ['nothing more is known without clear text', answerWith({}, { file: null }), { users: null, type: null }],
  ])('%s', (_what, answer, facts) => {
    expect(ofAnswer(answer)).toMatchObject(facts);
  });
});

it.each<[string | null, Partial<Facts>]>([
  ['ROMASHKA, Windows', { computer: 'ROMASHKA', boundTo: 'ROMASHKA, Windows' }],
  [', , 8157Mb', { computer: null, boundTo: ', , 8157Mb' }],
  [null, { computer: null, boundTo: null }],
])('of a binding to %s in clear text the computer is what stands first', (boundTo, facts) => {
  const read = ofClearText({ ...CLEAR_TEXT, boundTo });
  expect(read).toMatchObject({
    product: 'product in the file',
    kind: 'client',
    users: 5,
    pin: null,
    ...facts,
  });
});

const NOBODY = Object.fromEntries(
  Object.keys(decoded({}).structured.owner).map((key) => [key, null]),
) as unknown as NonNullable<Facts['customer']>;

describe('of several sources', () => {
  const answer = answerWith({ users: 20 });

  it('the answer counts before the clear text, fact by fact', () => {
    const clearText = ofClearText(CLEAR_TEXT);
    expect(combine({ answer, clearText })).toMatchObject({
      users: 20,
      pin: '111-222-333-444-555',
      answer: { pinCode: '111-222-333-444-555' },
      isBlank: false,
    });
    expect(combine({ answer: null, clearText })).toMatchObject({
      users: 5,
      computer: 'ROMASHKA',
      pin: null,
      answer: null,
    });
    expect(combine({ answer: null, clearText: null })).toMatchObject({ owner: null, isBlank: true });
  });

  it('a license that is bound to a hardware key has no computer, whatever the clear text names first', () => {
    const answer = answerWith({}, { binding: 'hardwareKey', computer: null });
    const clearText = ofClearText(CLEAR_TEXT);
    const facts = combine({ answer, clearText });
    expect(facts).toMatchObject({ computer: null, boundTo: 'ROMASHKA, Windows' });
  });

  it.each([
    [{ company: 'ООО Лист', lastName: 'Лист' }, 'ООО Лист'],
    [{ lastName: 'Лист', firstName: 'Иван', middleName: 'Ильич' }, 'Лист Иван Ильич'],
    [{ firstName: 'Иван' }, 'Иван'],
    [{ email: 'a@example.org' }, null],
  ])('the owner in %j is %s', (owner, name) => {
    const customer = { ...NOBODY, ...owner };
    expect(combine({ answer: null, clearText: { ...NO_FACTS, customer } }).owner).toBe(name);
  });
});

it.each([
  ['2026-11-21', null, true],
  ['2026-11-22', null, false],
  ['2026-11-22', '09:15:00', true],
  ['2026-11-22', '12:30:00', false],
  [null, null, false],
])('a license until %s %s is over on 22 November at noon: %s', (validUntil, validUntilTime, isOver) => {
  const facts = combine({ answer: null, clearText: { ...NO_FACTS, validUntil, validUntilTime } });
  expect(isExpired(facts, '2026-11-22T12:00')).toBe(isOver);
});

it.each([
  ['neither before', null, null, true],
  ['nor after it is read', answerWith({}, { file: null }), null, true],
  ['of a file with clear text', null, ofClearText(CLEAR_TEXT), false],
])('an old file states no term: %s', (_when, answer, clearText, hasNoClearText) => {
  expect(combine({ answer, clearText }).hasNoClearText).toBe(hasNoClearText);
});
