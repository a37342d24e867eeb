import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import { nameOf, type License } from '../../../../src/web/page/model/license.js';
import type { Filter } from '../../../../src/web/page/model/filters.js';
import { replacementsIn } from '../../../../src/web/page/model/replacements.js';
import { decoded, failed, refused, knownAs, license, viewOf } from './licenses.js';

const TODAY = '2026-11-22';
const NOW = `${TODAY}T12:00`;
const [PIN, OTHER_PIN, THIRD_PIN] = ['111-222-333-444-555', '999-222-333-444-555', '777-222-333-444-555'];
const OTHER = '999222333444555';

const client = (users: number | null, validUntil = '2027-12-31'): Partial<Facts> => ({
  kind: 'client',
  users,
  validUntil,
});

describe('each row is replaced, expired or current', () => {
  const key = { pin: PIN, registrationNumber: '8100000001' };
  const [numbered, lettered] = ['8100000002', '8100000001G0'].map((registrationNumber) => ({
    ...key,
    registrationNumber,
  }));
  const previous = { previousPin: PIN.replaceAll('-', '') };
  const ended = client(5, '2026-11-21');
  const damaged = () => license('a', { clearText: ['Срок действия: 21.11.2026'], answer: refused });
  it.each<[string, (Partial<Facts> | License)[], string]>([
    ['nothing known', [{}], 'current'],
    ['its last day', [client(5, TODAY)], 'current'],
    ['the day after', [ended], 'expired'],
    ['refused by ring: as its clear text says', [damaged()], 'expired'],
    ['a time-out', [license('a', { answer: failed })], 'current'],
    [
      'the one that another names as the one before, although it has expired',
      [ended, { ...key, ...ended }, { pin: OTHER_PIN, ...previous }],
      'expired replaced current',
    ],
    ['its own PIN code as the one before', [{ pin: PIN, ...previous }], 'current'],
    ['one PIN code with two numbers', [key, numbered ?? {}], 'current current'],
    ['a number with letters', [key, lettered ?? {}], 'current replaced'],
    ['two contents: the valid one counts', [{ ...key, validUntil: '2026-01-01' }, key], 'replaced current'],
    [
      'two contents: the later end counts',
      [2027, 2028].map((year) => ({ ...key, validUntil: `${year}-01-01` })),
      'replaced current',
    ],
    [
      'two contents: no end is later',
      [
        { ...key, unlimited: true },
        { ...key, validUntil: '2028-01-01' },
      ],
      'current replaced',
    ],
    [
      'a chain: its end',
      [{ ...key }, { pin: OTHER_PIN, ...previous }, { pin: THIRD_PIN, previousPin: OTHER }],
      'replaced replaced current',
    ],
    ['two contents: else the first counts', [key, key, key], 'current replaced replaced'],
    ['what ring refused replaces nothing', [key, license('b', { answer: refused })], 'current current'],
  ])('%s', (_world, world, expected) => {
    const licenses = world.map((facts) => ('places' in facts ? facts : knownAs('a', facts)));
    const view = viewOf(licenses, TODAY);
    const words = licenses.map((license) => {
      const { validity } = view.assessmentOf(license);
      return validity === 'replaced' || validity === 'expired' ? validity : 'current';
    });
    expect(words.join(' ')).toBe(expected);
  });

  it('and leads to its relatives', () => {
    const [old, twin] = [knownAs('old', key), knownAs('twin', { ...key, validUntil: '2020-01-01' })];
    const alone = replacementsIn([twin, old], NOW);
    expect([...alone.replacements]).toEqual([[twin, { by: old, how: 'sameLicense' }]]);
    const next = knownAs('new', { pin: OTHER_PIN, ...previous });
    const { replacements, predecessors } = replacementsIn([twin, old, next], NOW);
    expect([...replacements]).toEqual([
      [twin, { by: next, how: 'replacedBy' }],
      [old, { by: next, how: 'replacedBy' }],
    ]);
    expect([...predecessors]).toEqual([[next, old]]);
  });

  it('and leads to that version of its successor which counts', () => {
    const old = knownAs('old', key);
    const [next, outdated] = ['2030-01-01', '2028-01-01'].map((validUntil) =>
      knownAs(validUntil, { pin: OTHER_PIN, ...previous, validUntil }),
    );
    const { replacements } = replacementsIn([old, next, outdated] as License[], NOW);
    expect(replacements.get(old)?.by).toBe(next);
  });
});

const WORLD = () => [
  knownAs('copy 1, copy 2', client(10, '2026-12-31')),
  knownAs('soon', client(20, '2026-12-05')),
  knownAs('90 days', client(30, '2027-02-20')),
  knownAs('91 days', client(40, '2027-02-21')),
  knownAs('expired', client(500, '2026-11-21')),
  knownAs('expired server', { kind: 'server', validUntil: '2020-01-01' }),
  knownAs('unlimited server', { kind: 'server', unlimited: true }),
  knownAs('replaced', { ...client(700), pin: PIN }),
  license('new', {
    answer: decoded({
      pin: '999222333444555',
      previousPin: PIN.replaceAll('-', ''),
      clearText: ['Тип лицензии: клиент', 'Срок действия: не ограничен', 'Количество пользователей: 7'],
    }),
  }),
  license('refused', {
    clearText: ['Тип лицензии: клиент', 'Количество пользователей: 900'],
    answer: refused,
  }),
];

it.each<[Filter, string[]]>([
  ['expired', ['expired', 'expired server']],
  ['expiring', ['soon', 'copy 1', '90 days']],
  ['clients', ['soon', 'copy 1', '90 days', 'expired', '91 days', 'new', 'refused', 'replaced']],
  ['servers', ['expired server', 'unlimited server']],
  [
    'notRead',
    WORLD()
      .map(nameOf)
      .filter((name) => name !== 'new' && name !== 'refused'),
  ],
  ['failures', ['refused']],
  ['maybeReplaced', []],
  ['notCounted', ['refused']],
])('the filter %s shows %j', (filter, rows) => {
  const view = viewOf(WORLD(), TODAY);
  expect(view.counts.value[filter]).toBe(rows.length);
  view.choose(filter);
  expect(view.shown.value.map(nameOf).sort()).toEqual([...rows].sort());
  if (filter !== 'notRead') expect(view.shown.value.map(nameOf)).toEqual(rows);

  // Chosen again, it gives way to all.
  view.choose(filter);
  expect(view.filter.value).toBe('all');
});
