import { expect, it } from 'vitest';
import { compare } from '../../../../src/web/page/model/comparison.js';
import type { Facts } from '../../../../src/web/page/model/facts.js';
import type { License } from '../../../../src/web/page/model/license.js';
import { pathOf } from '../../../../src/web/page/model/state.js';
import { knownAs as at } from './licenses.js';

const firstPath = ({ places: [first] }: License) => (first ? pathOf(first) : '');

const [pin, otherPin, thirdPin] = ['332-588-056-123-456', '332-588-056-123-457', '332-588-056-123-458'];
/** What each word below says of a license. Besides these, `5users` and `until2027` (to its last day) have any number. */
const WORDS: Record<string, Parameters<typeof at>[1]> = {
  bytes1: { fingerprint: '0000000000000001' },
  bytes2: { fingerprint: '0000000000000002' },
  pin1: { pin },
  pin2: { pin: otherPin },
  pin3: { pin: thirdPin },
  after1: { previousPin: pin.replaceAll('-', '') },
  full: { registrationNumber: '8', product: 'P', computer: 'PC', validUntil: '2027-12-31', users: 5 },
  number8: { registrationNumber: '8' },
  number8G0: { registrationNumber: '8G0' },
  number9: { registrationNumber: '9' },
  oldPC: { computer: 'OLD' },
  newPC: { computer: 'NEW' },
  unlimited: { unlimited: true },
};

function factsOf(word: string): Partial<Facts> {
  if (word.endsWith('users')) return { users: parseInt(word) };
  if (word.startsWith('until')) return { validUntil: `${word.slice('until'.length)}-12-31` };
  const facts = WORDS[word];
  if (!facts) throw new Error(`no such word: ${word}`);
  return facts;
}

/** Licenses by their paths and words: `srv/a+srv/b pin1 5users; srv/c` are two, the first one at two paths. */
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

// Each row: a title, the licenses of today, those of the sheet, and the changes.
it.each([
  // The bytes.
  [
    'the same bytes are the same license, wherever they lie and whatever was known',
    'new/b bytes1 5users',
    'old/a bytes1 6users',
    '',
  ],
  ['the same bytes are the same license in any number of rows', 'a bytes1', 'a bytes1; copy bytes1', ''],
  ['the same bytes decide before the same path', 's/a bytes2; s/b bytes1', 's/a bytes1; s/b bytes2', ''],
  [
    'the same bytes decide before the same PIN code',
    'a bytes1; b bytes2 pin1',
    'x bytes1 pin1; y bytes2',
    '',
  ],
  // The PIN code.
  ['the same PIN code is the same license at any path', 'b pin1 5users', 'a pin1 6users', 'b from a: users'],
  [
    'the same PIN code is the same license in any number of files and rows',
    'b pin1 9users; c pin1 9users',
    'x pin1 9users; y pin1',
    '',
  ],
  [
    'the previous PIN code tells which row a license has replaced',
    'b pin2 after1 newPC',
    'a pin1 oldPC',
    'b from a: computer, pin',
  ],
  ['the same PIN code decides before the previous one', 'old pin1; new pin2 after1', 'a pin1', 'new new'],
  // The path.
  [
    'the same path with a folder is the same license',
    's/a bytes2 until2028',
    's/a bytes1 until2027',
    's/a from s/a: validUntil',
  ],
  [
    'a path without a folder tells nothing, because every server may have it',
    'a bytes2',
    'a bytes1',
    'a gone; a new',
  ],
  [
    'the same path below another root is another license',
    'share/s/a bytes2',
    's/a bytes1',
    's/a gone; share/s/a new',
  ],
  [
    'a path that two licenses have tells nothing',
    's/a 1users; s/a 2users',
    's/a 3users',
    's/a gone; s/a new; s/a new',
  ],
  [
    'a path that two rows have tells nothing',
    's/a 1users',
    's/a 2users; s/a 3users',
    's/a gone; s/a gone; s/a new',
  ],
  ['any place of a license may have the path', 'x/a+x/b 1users', 'x/b 2users', 'x/a from x/b: users'],
  ['a row is the same as one license only', 'x/a; y/b', 'x/a+y/b', 'y/b new'],
  [
    'the same path may be written as macOS does',
    's/й 1users',
    `s/${DECOMPOSED} 2users`,
    `s/й from s/${DECOMPOSED}: users`,
  ],
  ['the same path with another PIN code is another license', 's/a pin1', 's/a pin2', 's/a gone; s/a new'],
  [
    'the same path with another registration number is another license',
    's/a number8',
    's/a number9',
    's/a gone; s/a new',
  ],
  [
    'a registration number is the same with letters after it',
    's/a number8G0 5users',
    's/a number8 6users',
    's/a from s/a: users',
  ],
  // Nothing else.
  [
    'licenses that say the same at different paths are different ones',
    'x/b full',
    'y/a full',
    'x/b new; y/a gone',
  ],
  // What has changed.
  [
    'the term, the users and the computer can change',
    's/a until2028 20users newPC',
    's/a until2026 5users oldPC',
    's/a from s/a: validUntil, users, computer',
  ],
  ['a term can become unlimited', 's/a unlimited', 's/a until2026', 's/a from s/a: validUntil'],
  ['what is known on one of the days only has not changed', 's/a 20users pin3', 's/a oldPC', ''],
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
  ['a sheet without fingerprints', inFolder, (facts) => ({ ...facts, fingerprint: undefined })],
])('two hundred licenses that are given as %s have not changed', (_way, path, change) => {
  const isSheet = change !== same;
  const licenses = fleet('files', same, isSheet ? inFolder : path);
  const rows = fleet('sheet', change, isSheet ? path : inFolder);
  expect(changesOf(licenses, rows)).toBe('');
});

it('thousands of licenses and rows of one PIN code are one match, not a pair each', () => {
  const many = () => Array.from({ length: 5000 }, (_, index) => at(`s/${index}`, { pin }));
  const { matches } = compare(many(), many());
  // Pairs would be 25 million.
  expect(matches.map(({ licenses, rows }) => [licenses.length, rows.length])).toEqual([[5000, 5000]]);
});
