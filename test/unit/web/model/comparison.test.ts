import { expect, it } from 'vitest';
import { compare } from '../../../../src/web/page/model/comparison.js';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import type { License } from '../../../../src/web/page/model/license.js';
import { pathOf } from '../../../../src/web/page/model/place.js';
import { knownAs as at } from './licenses.js';

const firstPath = ({ places: { value } }: License) => (value[0] ? pathOf(value[0]) : '');

const [pin, otherPin, thirdPin] = ['332-588-056-123-456', '332-588-056-123-457', '332-588-056-123-458'];
const kit = { registrationNumber: '8', product: 'P', computer: 'PC' };
/** What a word below says of a license; `5u` are users, a year is one of which the last day is that of the term. */
const WORDS: Record<string, Parameters<typeof at>[1]> = {
  A: { fingerprint: '0000000000000001' },
  B: { fingerprint: '0000000000000002' },
  pin1: { pin },
  pin2: { pin: otherPin },
  pin3: { pin: thirdPin },
  after1: { previousPin: pin.replaceAll('-', '') },
  kit,
  full: { ...kit, validUntil: '2027-12-31', users: 5 },
  no8: { registrationNumber: '8' },
  no8G0: { registrationNumber: '8G0' },
  no9: { registrationNumber: '9' },
  P: { product: 'P' },
  OLD: { computer: 'OLD' },
  NEW: { computer: 'NEW' },
  unlimited: { unlimited: true },
};
const factsOf = (word: string) =>
  word.endsWith('u') ? { users: parseInt(word) } : (WORDS[word] ?? { validUntil: `${word}-12-31` });

/** Licenses as `path+path word word; path`. */
const licensesIn = (text: string) =>
  text.split('; ').map((license) => {
    const [paths = '', ...words] = license.split(' ');
    return at(paths.replace('+', ', '), Object.assign({}, ...words.map(factsOf)) as Partial<Facts>);
  });

/** What is said of each path; of what changed, since which path and in what. */
function changesOf(licenses: License[], rows: License[]) {
  const { changes } = compare(licenses, rows);
  const said = Array.from(changes, ([license, change]) =>
    change.name === 'changed'
      ? `${firstPath(license)} from ${firstPath(change.before)}: ${change.differences.join(', ')}`
      : `${firstPath(license)} ${change.name}`,
  );
  return said.sort().join('; ');
}

const DECOMPOSED = 'й'.normalize('NFD');

it.each([
  ['4: one row for one license', 'x/a; y/b', 'x/a+y/b', 'y/b new'],
  ['1: the same bytes, wherever they lie and whatever was known', 'new/b A 5u', 'old/a A 6u', ''],
  ['1: the same bytes in any number of rows', 'a A', 'a A; copy A', ''],
  ['1: of the same bytes only the PIN code can differ', 'a A pin1 5u', 'a A pin2 6u', 'a from a: pin'],
  ['1: the bytes say more than the path', 'a B; b A', 'a A; b B', ''],
  ['2: the same PIN code elsewhere', 'b pin1 5u', 'a pin1 6u', 'b from a: users'],
  ['2: one PIN code in any number', 'b pin1 full; c pin1 full 9u', 'x pin1 full 9u; y pin1 full', ''],
  ['2: a move, named by the new license', 'b pin2 after1 NEW', 'a pin1 OLD', 'b from a: computer, pin'],
  ['2: the same PIN code is surer than the one before', 'old pin1; new pin2 after1', 'a pin1', 'new new'],
  ['3: not where both PIN codes are known', 'a pin1 full', 'old/a pin2 full', 'a new; old/a gone'],
  ['3: not where both numbers are known', 'a full no9', 'old/a full', 'a new; old/a gone'],
  ['3: but a number with letters after it is the same', 'a no8G0 5u', 'a no8 6u', 'a from a: users'],
  [
    '3a: what is alike in all, as many pairs as there are',
    'x full; y full',
    'u full; v full; w full',
    'w gone',
  ],
  ['3a: columns that the sheet lacks say nothing', 'x full; y full', 'u P 5u; v P 5u', ''],
  ['3b: the end of the path', '2026/srv/a 5u', 'srv/a 6u', '2026/srv/a from srv/a: users'],
  [
    '3b: more parts before fewer',
    'n/s1/a 1u; n/s2/a 2u',
    's2/a 8u; s1/a 9u',
    'n/s1/a from s1/a: users; n/s2/a from s2/a: users',
  ],
  ['3b: only where it is unique', 'x/a 1u; y/a 2u', 'a 3u', 'a gone; x/a new; y/a new'],
  ['3b: any place of a license', 'x/a+x/b 1u', 'y/b 2u', 'x/a from y/b: users'],
  ['3b: as macOS writes it', 'й 1u', `${DECOMPOSED} 2u`, `й from ${DECOMPOSED}: users`],
  ['3c: number, product and computer', 'x kit 5u', 'y kit 6u', 'x from y: users'],
  ['3c: only where they are unique', 'x kit 5u; y kit 6u', 'z kit 7u', 'x new; y new; z gone'],
  ['3d: number and product', 'x kit', 'y kit OLD', 'x from y: computer'],
  ['3: nothing that is known tells nothing', 'x; y', 'u; v', 'u gone; v gone; x new; y new'],
  [
    '4: term, users and computer',
    'a A 2028 20u NEW',
    'a B 2026 5u OLD',
    'a from a: validUntil, users, computer',
  ],
  ['4: a term that has become unlimited', 'a unlimited', 'a 2026', 'a from a: validUntil'],
  ['4: what is known on one of the days only is no difference', 'a 20u pin3', 'a OLD', ''],
  ['4: the path and other bytes are none', 'n/a A full', 'a B full', ''],
])('rule %s', (_rule, licenses, rows, changes) => {
  expect(changesOf(licensesIn(licenses), licensesIn(rows))).toBe(changes);
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
  expect(changesOf(licenses, rows)).toBe('');
});

const numbered = (number: number) => `${number}`.padStart(15, '0').replace(/\d{3}(?=\d)/g, '$&-');
it.each([
  ['one PIN code', () => pin, () => pin],
  ['one kit and other PIN codes', numbered, (number: number) => numbered(number + 1000)],
])('hundreds of licenses and rows of %s are not all compared with each other', (_what, pinNow, pinThen) => {
  let asked = 0;
  const counted = (license: License) =>
    new Proxy(license, {
      get: (target, name) => {
        if (name === 'known') asked += 1;
        const value: unknown = Reflect.get(target, name, target);
        return value;
      },
    });
  const [now, then] = [pinNow, pinThen].map((pinOf) =>
    Array.from({ length: 500 }, (_, i) => counted(at(`${i}.lic`, { ...kit, users: 5, pin: pinOf(i) }))),
  );
  compare(now ?? [], then ?? []);
  expect(asked / 1000).toBeLessThan(250);
});
