import { expect, it } from 'vitest';
import { compare } from '../../../../src/web/page/model/comparison.js';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import type { License } from '../../../../src/web/page/model/license.js';
import { pathOf } from '../../../../src/web/page/model/place.js';
import { knownAs as at } from './licenses.js';

const firstPath = ({ places: [first] }: License) => (first ? pathOf(first) : '');

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
  const paths = new Map([...licenses, ...rows].map((license) => [license.id, firstPath(license)]));
  const said = Array.from(changes, ([id, change]) =>
    change.name === 'changed'
      ? `${paths.get(id)} from ${firstPath(change.before)}: ${change.differences.join(', ')}`
      : `${paths.get(id)} ${change.name}`,
  );
  return said.sort().join('; ');
}

const DECOMPOSED = 'й'.normalize('NFD');

it.each([
  // The bytes.
  ['the same bytes, wherever they lie and whatever was known', 'new/b A 5u', 'old/a A 6u', ''],
  ['the same bytes in any number of rows', 'a A', 'a A; copy A', ''],
  ['the bytes say more than the path', 's/a B; s/b A', 's/a A; s/b B', ''],
  ['the bytes say more than the PIN code', 'a A; b B pin1', 'x A pin1; y B', ''],
  // The PIN code.
  ['the same PIN code elsewhere', 'b pin1 5u', 'a pin1 6u', 'b from a: users'],
  ['one PIN code in any number', 'b pin1 9u; c pin1 9u', 'x pin1 9u; y pin1', ''],
  ['the PIN code before it', 'b pin2 after1 NEW', 'a pin1 OLD', 'b from a: computer, pin'],
  ['the same PIN code is surer than the one before', 'old pin1; new pin2 after1', 'a pin1', 'new new'],
  // The path.
  ['a path with a folder', 's/a B 2028', 's/a A 2027', 's/a from s/a: validUntil'],
  ['no path without a folder, which every server has', 'a B', 'a A', 'a gone; a new'],
  ['no other root', 'share/s/a B', 's/a A', 's/a gone; share/s/a new'],
  ['no path that two licenses have', 's/a 1u; s/a 2u', 's/a 3u', 's/a gone; s/a new; s/a new'],
  ['no path that two rows have', 's/a 1u', 's/a 2u; s/a 3u', 's/a gone; s/a gone; s/a new'],
  ['any place of a license', 'x/a+x/b 1u', 'x/b 2u', 'x/a from x/b: users'],
  ['each row is one license', 'x/a; y/b', 'x/a+y/b', 'y/b new'],
  ['a path as macOS writes it', 's/й 1u', `s/${DECOMPOSED} 2u`, `s/й from s/${DECOMPOSED}: users`],
  ['not where both PIN codes are known', 's/a pin1', 's/a pin2', 's/a gone; s/a new'],
  ['not where both numbers are known', 's/a no8', 's/a no9', 's/a gone; s/a new'],
  ['but a number with letters after it is the same', 's/a no8G0 5u', 's/a no8 6u', 's/a from s/a: users'],
  // Nothing else.
  ['not what the texts say', 'x/b full', 'y/a full', 'x/b new; y/a gone'],
  // What has changed.
  [
    'term, users, computer',
    's/a 2028 20u NEW',
    's/a 2026 5u OLD',
    's/a from s/a: validUntil, users, computer',
  ],
  ['a term that has become unlimited', 's/a unlimited', 's/a 2026', 's/a from s/a: validUntil'],
  ['what is known on one of the days only is no difference', 's/a 20u pin3', 's/a OLD', ''],
])('%s', (_rule, licenses, rows, changes) => {
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
])('two hundred licenses that are given as %s have not changed', (_way, path, change) => {
  const isSheet = change !== same;
  const licenses = fleet('files', same, isSheet ? inFolder : path);
  const rows = fleet('sheet', change, isSheet ? path : inFolder);
  expect(changesOf(licenses, rows)).toBe('');
});

it('thousands of licenses and rows of one PIN code are not all compared with each other', () => {
  const many = Array.from({ length: 5000 }, (_, index) => at(`s/${index}`, { pin }));
  const { rowsOf } = compare(many, many);
  expect(rowsOf.size).toBe(5000);
  // All share one list of rows; a list for each would be 25 million entries.
  expect(new Set(rowsOf.values()).size).toBe(1);
});
