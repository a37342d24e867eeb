import { expect, it } from 'vitest';
import { compare } from '../../../../src/web/page/model/comparison.js';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import { pathOf, type License } from '../../../../src/web/page/model/license.js';
import { knownAs as at } from './licenses.js';

const firstPath = ({ places: { value } }: License) => (value[0] ? pathOf(value[0]) : '');

/** What is said of each path; of what changed, since which path and in what. */
function changesOf(licenses: License[], rows: License[], isPartial = false) {
  const { changes } = compare(licenses, rows, isPartial);
  return Object.fromEntries(
    Array.from(changes, ([license, change]) => [
      firstPath(license),
      change.name === 'changed'
        ? `${firstPath(change.before)}: ${change.differences.join(', ')}`
        : change.name,
    ]),
  );
}

const [A, B] = ['0000000000000001', '0000000000000002'];
const [pin, otherPin, thirdPin] = ['332-588-056-123-456', '332-588-056-123-457', '332-588-056-123-458'];
const kit = { registrationNumber: '8', product: 'P', computer: 'PC' };
const full = { ...kit, validUntil: '2027-12-31', users: 5 };

it.each<[string, License[], License[], Record<string, string>]>([
  [
    '1: the same bytes, wherever they lie and whatever was known',
    [at('new/b', { fingerprint: A, users: 5 })],
    [at('old/a', { fingerprint: A, users: 6 })],
    {},
  ],
  [
    '1: the same bytes in any number of rows',
    [at('a', { fingerprint: A })],
    [at('a', { fingerprint: A }), at('copy', { fingerprint: A })],
    {},
  ],
  [
    '1: the bytes say more than the path',
    [at('a', { fingerprint: B }), at('b', { fingerprint: A })],
    [at('a', { fingerprint: A }), at('b', { fingerprint: B })],
    {},
  ],
  [
    '2: the same PIN code elsewhere',
    [at('b', { pin, users: 5 })],
    [at('a', { pin, users: 6 })],
    { b: 'a: users' },
  ],
  [
    '2: one PIN code in any number',
    [at('b', { pin, ...full }), at('c', { pin, ...full, users: 9 })],
    [at('x', { pin, ...full, users: 9 }), at('y', { pin, ...full })],
    {},
  ],
  [
    '2: a move, of which the new license names the PIN code before',
    [at('b', { pin: otherPin, previousPin: pin.replaceAll('-', ''), computer: 'NEW' })],
    [at('a', { pin, computer: 'OLD' })],
    { b: 'a: computer, pin' },
  ],
  [
    '2: the same PIN code is surer than the one before',
    [at('old', { pin }), at('new', { pin: otherPin, previousPin: pin.replaceAll('-', '') })],
    [at('a', { pin })],
    { new: 'new' },
  ],
  [
    'of a version before: as many rows are one license as it has copies',
    [at('a/x.lic, b/x.lic', full)],
    [at('a/x.lic', full), at('b/x.lic', full), at('c/y.lic', full)],
    { 'c/y.lic': 'gone' },
  ],
  [
    'of a version before: copies of what has changed since',
    [at('a/x.lic, b/x.lic', { ...full, users: 9 })],
    [at('a/x.lic', full), at('b/x.lic', full)],
    { 'a/x.lic': 'a/x.lic: users' },
  ],
  [
    'of a version before: copies, one of which was read',
    [at('a/x.lic, b/x.lic', { pin, ...full })],
    [at('a/x.lic', full), at('b/x.lic', { pin, ...full })],
    {},
  ],
  [
    'other bytes are no copy',
    [at('a/x.lic, b/x.lic', { fingerprint: A, ...full })],
    [at('a/x.lic', { fingerprint: A, ...full }), at('b/x.lic', { fingerprint: B, ...full })],
    { 'b/x.lic': 'gone' },
  ],
  [
    '3: not where both PIN codes are known',
    [at('a', { pin, ...full })],
    [at('old/a', { pin: otherPin, ...full })],
    { a: 'new', 'old/a': 'gone' },
  ],
  [
    '3: not where both registration numbers are known',
    [at('a', { ...full, registrationNumber: '9' })],
    [at('old/a', full)],
    { a: 'new', 'old/a': 'gone' },
  ],
  [
    '3: but a number with the letters after it is the same',
    [at('a', { registrationNumber: '8G0', users: 5 })],
    [at('a', { registrationNumber: '8', users: 6 })],
    { a: 'a: users' },
  ],
  [
    '3a: what is alike in all, as many pairs as there are',
    [at('x', full), at('y', full)],
    [at('u', full), at('v', full), at('w', full)],
    { w: 'gone' },
  ],
  [
    '3a: columns that the sheet lacks say nothing',
    [at('x', full), at('y', full)],
    [at('u', { product: 'P', users: 5 }), at('v', { product: 'P', users: 5 })],
    {},
  ],
  [
    '3b: the end of the path',
    [at('2026/srv/a', { users: 5 })],
    [at('srv/a', { users: 6 })],
    { '2026/srv/a': 'srv/a: users' },
  ],
  [
    '3b: more parts before fewer',
    [at('n/s1/a', { users: 1 }), at('n/s2/a', { users: 2 })],
    [at('s2/a', { users: 8 }), at('s1/a', { users: 9 })],
    { 'n/s1/a': 's1/a: users', 'n/s2/a': 's2/a: users' },
  ],
  [
    '3b: only where it is unique',
    [at('x/a', { users: 1 }), at('y/a', { users: 2 })],
    [at('a', { users: 3 })],
    { 'x/a': 'new', 'y/a': 'new', a: 'gone' },
  ],
  [
    '3b: any place of a license',
    [at('x/a, x/b', { users: 1 })],
    [at('y/b', { users: 2 })],
    { 'x/a': 'y/b: users' },
  ],
  [
    '3b: as macOS writes it',
    [at('й', { users: 1 })],
    [at('й'.normalize('NFD'), { users: 2 })],
    { й: `${'й'.normalize('NFD')}: users` },
  ],
  [
    '3c: number, product and computer',
    [at('x', { ...kit, users: 5 })],
    [at('y', { ...kit, users: 6 })],
    { x: 'y: users' },
  ],
  [
    '3c: only where they are unique',
    [at('x', { ...kit, users: 5 }), at('y', { ...kit, users: 6 })],
    [at('z', { ...kit, users: 7 })],
    { x: 'new', y: 'new', z: 'gone' },
  ],
  ['3d: number and product', [at('x', kit)], [at('y', { ...kit, computer: 'OLD' })], { x: 'y: computer' }],
  [
    '3: nothing that is known tells nothing',
    [at('x', {}), at('y', {})],
    [at('u', {}), at('v', {})],
    { x: 'new', y: 'new', u: 'gone', v: 'gone' },
  ],
  [
    '4: term, users, computer and PIN code',
    [at('a', { fingerprint: A, validUntil: '2028-12-31', users: 20, computer: 'NEW' })],
    [at('a', { fingerprint: B, validUntil: '2026-12-31', users: 5, computer: 'OLD' })],
    { a: 'a: validUntil, users, computer' },
  ],
  [
    '4: a term that has become unlimited',
    [at('a', { unlimited: true })],
    [at('a', { validUntil: '2026-12-31' })],
    { a: 'a: validUntil' },
  ],
  [
    '4: what is known on one of the days only is no difference',
    [at('a', { users: 20, pin: thirdPin })],
    [at('a', { computer: 'OLD' })],
    {},
  ],
  [
    '4: the path and other bytes are none',
    [at('n/a', { fingerprint: A, ...full })],
    [at('a', { fingerprint: B, ...full })],
    {},
  ],
])('rule %s', (_rule, licenses, rows, changes) => {
  expect(changesOf(licenses, rows)).toEqual(changes);
});

it('what a part of a list lacks is no change, and what is gone from it is', () => {
  expect(changesOf([at('a', full), at('b', {})], [at('a', full), at('c', {})], true)).toEqual({ c: 'gone' });
});

/** Two hundred licenses in folders, some in two places, some all alike, some of which little is known. */
const fleet = (
  day: 'files' | 'sheet',
  change: (facts: Partial<Facts> & { fingerprint?: string }) => object,
  pathOf: (index: number) => string,
) =>
  Array.from({ length: 200 }, (_, index) => {
    const facts: Partial<Facts> =
      index % 25 === 24
        ? {}
        : {
            registrationNumber: String(8_100_000_000 + Math.floor(index / 3)),
            product: `P ${index % 6}`,
            computer: `PC ${index % 40}`,
            users: index % 5,
            validUntil: `2027-01-${String((index % 28) + 1).padStart(2, '0')}`,
          };
    const known = day === 'sheet' ? { ...facts, pin: `332-588-056-${100_000 + index}` } : facts;
    return at(pathOf(index), change({ ...known, fingerprint: String(index).padStart(16, '0') }));
  });
const name = (index: number) => `${index}.lic`;
const inFolder = (index: number) => `licenses/srv-${index % 4}/${name(index)}`;
const same = (facts: object) => facts;

it.each<[string, (index: number) => string, (facts: Partial<Facts> & { fingerprint?: string }) => object]>([
  ['a folder', inFolder, same],
  ['files without it', name, same],
  ['the parent folder', (index) => `share/${inFolder(index)}`, same],
  ['a sheet without fingerprints', inFolder, (facts) => ({ ...facts, fingerprint: null })],
  [
    'a sheet of six columns',
    name,
    ({ validUntil, product, users, computer, pin }) => ({ validUntil, product, users, computer, pin }),
  ],
])('two hundred licenses that are given as %s have not changed', (_way, path, change) => {
  const isSheet = change !== same;
  const licenses = fleet('files', same, isSheet ? inFolder : path);
  const rows = fleet('sheet', change, isSheet ? path : inFolder);
  expect(changesOf(licenses, rows)).toEqual({});
});
