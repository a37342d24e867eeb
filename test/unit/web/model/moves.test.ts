import { expect, it } from 'vitest';
import { compare } from '../../../../src/web/page/model/comparison.js';
import { knownAs } from './licenses.js';

const digits = (name: string) => (name.codePointAt(0) ?? 0).toString().padStart(16, '0');
const pinOf = (name: string) => `332-588-056-${digits(name).slice(-6, -3)}-${digits(name).slice(-3)}`;

/** Licenses as `A srv1/x srv2/y; b srv3/z`: of one letter are the same bytes, and of one in lower case the same PIN code. */
const licensesIn = (text: string, suffix: string) =>
  text.split('; ').map((license) => {
    const [name = '', ...paths] = license.split(' ');
    const isPin = name === name.toLowerCase();
    return knownAs(
      paths.join(', '),
      isPin
        ? { pin: pinOf(name), fingerprint: digits(name).replace(/^0/, suffix) }
        : { fingerprint: digits(name) },
    );
  });

const moved = (now: string, then: string) => {
  const { changes } = compare(licensesIn(now, 'a'), licensesIn(then, 'b'));
  return Array.from(changes, ([license, change]) =>
    change.name === 'changed' && change.differences.includes('folder') ? license.places.value[0]?.folder : [],
  ).flat();
};

const copies = (count: number, root: string) =>
  Array.from({ length: count }, (_, index) => `${root}/${index}/a`).join(' ');

/** Four licenses that stay where they are. */
const REST = 'W r/srv1/x; X r/srv2/x; Y r/srv3/x; z r/srv4/x';

it.each<[string, string, string, string[]]>([
  ['nothing', REST, REST, []],
  ['a license to another server', `A r/srv2/a; ${REST}`, `A r/srv1/a; ${REST}`, ['r/srv2']],
  ['by its PIN code', `a r/srv2/a; ${REST}`, `a r/srv1/a; ${REST}`, ['r/srv2']],
  [
    'three to one server',
    `A r/n/a; B r/n/b; c r/n/c; ${REST}`,
    `A r/o/a; B r/o/b; c r/o/c; ${REST}`,
    ['r/n', 'r/n', 'r/n'],
  ],
  ['a swap', `A r/2/a; B r/1/b; ${REST}`, `A r/1/a; B r/2/b; ${REST}`, ['r/2', 'r/1']],
  ['two servers with equal folder names', `A srv2/lic/a; ${REST}`, `A srv1/lic/a; ${REST}`, ['srv2/lic']],
  ['a renamed file', `A r/srv1/new; ${REST}`, `A r/srv1/a; ${REST}`, []],
  ['one level higher', 'A all/r/srv1/a; B all/r/srv2/b', 'A r/srv1/a; B r/srv2/b', []],
  ['one level lower', 'A srv1/a; B srv2/b', 'A r/srv1/a; B r/srv2/b', []],
  [
    'one level lower, and one that moved',
    'A srv1/a; B srv2/b; C srv2/c',
    'A r/srv1/a; B r/srv2/b; C r/srv1/c',
    ['srv2'],
  ],
  ['the file alone', 'A a; B b', 'A r/srv1/a; B r/srv2/b', []],
  ['loose files besides', `A a; ${REST}`, `A r/srv1/a; ${REST}`, []],
  ['a sheet without folders', `A r/srv2/a; ${REST}`, 'A a; W x; X x; Y x; z x', []],
  ['another letter case', 'A r/Srv1/a; B r/srv2/b', 'A r/SRV1/a; B R/srv2/b', []],
  ['as macOS writes it', `A ${'й'.normalize('NFD')}/a; ${REST}`, `A й/a; ${REST}`, []],
  ['a renamed root', 'A new/1/a; B new/2/b; C new/3/c', 'A old/1/a; B old/2/b; C old/3/c', []],
  [
    'a renamed root, and one that moved',
    'A new/1/a; B new/2/b; C new/1/c',
    'A old/1/a; B old/2/b; C old/3/c',
    ['new/1'],
  ],
  ['half of all are no root', 'A n/a; B n/b; C r/c; D r/d', 'A o/a; B o/b; C r/c; D r/d', ['n', 'n']],
  ['a sheet of one server with a new name', 'A srv2/a; B srv2/b', 'A srv1/a; B srv1/b', []],
  ['a second root', `A r/srv1/a other/srv1/a; B other/srv9/b; ${REST}`, `A r/srv1/a; ${REST}`, []],
  ['a lost copy', `A r/srv1/a; ${REST}`, `A r/srv1/a r/srv2/a; ${REST}`, []],
  ['an added copy', `A r/srv5/a r/srv1/a; ${REST}`, `A r/srv1/a; ${REST}`, []],
  ['all copies', `A r/srv5/a r/srv6/a; ${REST}`, `A r/srv1/a r/srv2/a; ${REST}`, ['r/srv5']],
  ['a license that was issued again', `a r/srv1/new; ${REST}`, `a r/srv1/old; ${REST}`, []],
  ['one PIN code in two files', `a r/1/a; a r/2/b; ${REST}`, `a r/2/b; a r/1/a; ${REST}`, []],
  ['a subfolder beside', `A r/srv1/old/a; ${REST}`, `A r/srv1/a; ${REST}`, ['r/srv1/old']],
  ['into a folder above', `A archive/r/srv1/a; ${REST}`, `A r/srv1/a; ${REST}`, []],
  ['a new license', `A r/srv1/a; ${REST}`, REST, []],
  ['a license that is gone', REST, `A r/srv1/a; ${REST}`, []],
  ['twenty copies', `A ${copies(20, 'n')}; ${REST}`, `A ${copies(20, 'o')}; ${REST}`, ['n/0']],
  // Nobody knows what a cut cell lacks, and three thousand compared with each other would take seconds.
  ['a cut cell', `A r/n/a; ${REST}`, `A ${copies(21, 'o')}; ${REST}`, []],
  ['more copies than that', `A ${copies(21, 'n')}; ${REST}`, `A r/o/a; ${REST}`, []],
])('of %s it says what moved', (_what, now, then, expected) => {
  expect(moved(now, then)).toEqual(expected);
});

it('tells what moved besides what else has changed', () => {
  const [now, then] = [6, 5].map((users) =>
    knownAs(`r/${users}/a, b`, { pin: '332-588-056-123-456', users }),
  );
  const others = (folder: string) =>
    ['1', '2', '3'].map((name) => knownAs(`${folder}/${name}`, { fingerprint: name }));
  if (!now || !then) throw new Error('none');
  now.places.value = now.places.value.slice(0, 1);
  then.places.value = then.places.value.slice(0, 1);
  const { changes } = compare([now, ...others('r')], [then, ...others('r')]);
  expect([...changes.values()]).toMatchObject([{ differences: ['users', 'folder'], before: then }]);
});
