import { expect, it } from 'vitest';
import { compare } from '../../../../src/web/page/model/comparison.js';
import { Content } from '../../../../src/web/page/model/content.js';
import { pathOf, type Item } from '../../../../src/web/page/model/item.js';
import { ofSheet, type Facts } from '../../../../src/web/page/model/facts.js';

let lastId = 0;
interface Parts extends Partial<Facts> {
  fingerprint?: string;
}
/** A file or a row at a path. */
function at(path: string, { fingerprint, ...facts }: Parts = {}): Item {
  const [, folder = '', name = ''] = /^(?:(.*)\/)?(.*)$/.exec(path) ?? [];
  const content = new Content(null, [ofSheet(facts, '2026-10-01')], undefined, fingerprint);
  return { id: ++lastId, name, folder, content };
}

/** What is said of each path; of what changed, since which path and in what. */
function changesOf(files: Item[], rows: Item[], isPartial = false) {
  const { changes } = compare(files, rows, isPartial);
  return Object.fromEntries(
    Array.from(changes, ([item, change]) => [
      pathOf(item),
      change.name === 'changed' ? `${pathOf(change.before)}: ${change.differences.join(', ')}` : change.name,
    ]),
  );
}

const A = '0000000000000001';
const B = '0000000000000002';
const [pin, otherPin] = ['332-588-056-123-456', '332-588-056-123-457'];

it.each<[string, Item[], Item[], Record<string, string>]>([
  [
    'the same bytes at the same path are no change',
    [at('d/a', { fingerprint: A })],
    [at('d/a', { fingerprint: A })],
    {},
  ],
  [
    'the same bytes elsewhere were moved',
    [at('d/b', { fingerprint: A })],
    [at('d/a', { fingerprint: A })],
    { 'd/b': 'd/a: file' },
  ],
  [
    'each of two copies is found in its place',
    [at('d/b', { fingerprint: A }), at('d/a', { fingerprint: A })],
    [at('d/a', { fingerprint: A }), at('d/b', { fingerprint: A })],
    {},
  ],
  [
    'of two copies one is gone',
    [at('d/b', { fingerprint: A })],
    [at('d/a', { fingerprint: A }), at('d/b', { fingerprint: A })],
    { 'd/a': 'gone' },
  ],
  [
    'the bytes say more than the path',
    [at('d/a', { fingerprint: B }), at('d/b', { fingerprint: A })],
    [at('d/a', { fingerprint: A }), at('d/b', { fingerprint: B })],
    { 'd/a': 'd/b: file', 'd/b': 'd/a: file' },
  ],
  [
    'other bytes at the same path are a change, also when nothing else is known',
    [at('d/a', { fingerprint: B })],
    [at('d/a', { fingerprint: A })],
    { 'd/a': 'd/a: content' },
  ],
  [
    'what has changed of a license is said',
    [at('a', { validUntil: '2027-12-31', users: 20, computer: 'NEW' })],
    [at('a', { validUntil: '2026-12-31', users: 5, computer: 'OLD' })],
    { a: 'a: validUntil, users, computer' },
  ],
  [
    'a term that has become unlimited is a change',
    [at('a', { unlimited: true })],
    [at('a', { validUntil: '2026-12-31' })],
    { a: 'a: validUntil' },
  ],
  [
    'what is known on one of the days only is no change',
    [at('a', { users: 20, validUntil: '2026-12-31' })],
    [at('a', { computer: 'OLD' })],
    {},
  ],
  [
    'the same PIN code elsewhere is the same license',
    [at('d/b', { pin, users: 5 })],
    [at('d/a', { pin })],
    { 'd/b': 'd/a: file' },
  ],
  [
    'another PIN code is not',
    [at('d/b', { pin })],
    [at('d/a', { pin: otherPin })],
    { 'd/b': 'new', 'd/a': 'gone' },
  ],
  [
    'a registration number and a computer tell a license',
    [at('d/b', { registrationNumber: '8', computer: 'PC' })],
    [at('d/a', { registrationNumber: '8', computer: 'PC' })],
    { 'd/b': 'd/a: file' },
  ],
  [
    'unless several have them',
    [
      at('d/b', { registrationNumber: '8', computer: 'PC' }),
      at('c', { registrationNumber: '8', computer: 'PC' }),
    ],
    [at('d/a', { registrationNumber: '8', computer: 'PC' }), at('c', {})],
    { 'd/b': 'new', 'd/a': 'gone' },
  ],
  ['a chosen folder may have another name', [at('2026-11/srv/a')], [at('2026-10/srv/a')], {}],
  [
    'a folder of both days may not',
    [at('srv1/a', { fingerprint: A }), at('srv2/b')],
    [at('srv2/a', { fingerprint: A }), at('srv1/b')],
    { 'srv1/a': 'srv2/a: file', 'srv2/b': 'new', 'srv1/b': 'gone' },
  ],
])('%s', (_fact, files, rows, changes) => {
  expect(changesOf(files, rows)).toEqual(changes);
});

it('what a part of a list lacks need not be new', () => {
  expect(changesOf([at('a'), at('b')], [at('a')], true)).toEqual({ b: 'unlisted' });
});
