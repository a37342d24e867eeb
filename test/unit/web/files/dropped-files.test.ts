import { describe, expect, it } from 'vitest';
import { filesOfDrop, filesOfInput } from '../../../../src/web/page/files/dropped-files.js';
import type { Given } from '../../../../src/web/page/model/store.js';

/*
 * Node.js has no entries of a drop. These behave as in Chromium: a folder is read in portions of 100, each asked for
 * anew, and what cannot be read calls back with an error.
 */
interface Tree {
  [name: string]: Tree | 'file' | 'unreadable';
}

function entryOf(name: string, node: Tree[string], parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${name}`;
  const shared = { name, fullPath, isFile: typeof node === 'string', isDirectory: typeof node !== 'string' };
  const failure = new DOMException('', 'NotReadableError');
  if (typeof node === 'string') {
    const file = (resolve: (file: File) => void, reject: (error: unknown) => void) => {
      queueMicrotask(() => (node === 'file' ? resolve(new File([fullPath], name)) : reject(failure)));
    };
    return { ...shared, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    const children = Object.entries(node);
    const readEntries = (resolve: (entries: FileSystemEntry[]) => void, reject: (error: unknown) => void) => {
      queueMicrotask(() => {
        const portion = children.splice(0, 100);
        if (portion.some(([child]) => child === 'disk fault')) reject(failure);
        else resolve(portion.map(([child, inside]) => entryOf(child, inside, fullPath)));
      });
    };
    return { readEntries };
  };
  return { ...shared, createReader } as unknown as FileSystemEntry;
}

/** Of what nobody stops. */
const NEVER = new AbortController().signal;

/** A drop, whose list is empty as soon as the event is over. */
function drop(tree: Tree, loose: File[] = [], signal = NEVER): Promise<Given> {
  const items = [
    ...Object.entries(tree).map(([name, node]) => ({ webkitGetAsEntry: () => entryOf(name, node) })),
    ...loose.map((file) => ({ webkitGetAsEntry: () => null, getAsFile: () => file })),
    { kind: 'string', webkitGetAsEntry: () => null, getAsFile: () => null },
  ] as unknown as DataTransferItem[];
  const chosen = filesOfDrop(items, signal);
  items.length = 0;
  return chosen;
}

const lots = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.lic`, 'file' as const]));

const leftOut = ({ leftOut }: Given) => leftOut.files.map(({ name, reason }) => `${name}: ${reason}`);

const paths = ({ files }: Given) => files.map(({ file, folder }) => `${folder}:${file.name}`);

it('finds the licenses of nested folders in the order of folder and name', async () => {
  const chosen = await drop({
    srv10: { 'a.lic': 'file' },
    srv2: {
      'b.lic': 'file',
      'A.LIC': 'file',
      'readme.txt': 'file',
      var: { '1C': { licenses: { '20240115120000.Lic': 'file', lic: 'file', 'a.lic.bak': 'file' } } },
      empty: {},
    },
    'loose.lic': 'file',
    'note.docx': 'file',
    'a.xlsx': 'file',
  });
  expect(paths(chosen)).toEqual([
    ':loose.lic',
    'srv2:A.LIC',
    'srv2:b.lic',
    'srv2/var/1C/licenses:20240115120000.Lic',
    'srv10:a.lic',
  ]);
  // Of those in folders only their number is told.
  expect(leftOut(chosen)).toEqual(['note.docx: notLicense', 'a.xlsx: notLicense']);
  expect(chosen.leftOut.otherCount).toBe(3);
  expect(await chosen.files[3]?.file.text()).toBe('/srv2/var/1C/licenses/20240115120000.Lic');
});

it('reads a folder to its end, names what cannot be read and goes on with the rest', async () => {
  const chosen = await drop({
    'a.lic': 'unreadable',
    locked: { 'disk fault': 'file' },
    half: { ...lots(1300), 'disk fault': 'file' },
    fine: { 'b.lic': 'file', 'c.lic': 'unreadable', 'c.txt': 'unreadable' },
  });
  expect(chosen.files).toHaveLength(1_301);
  const unreadable = ['a.lic', 'locked', 'half', 'c.lic'].map((name) => `${name}: unreadable`);
  expect(leftOut(chosen).sort()).toEqual([...unreadable].sort());
  expect(chosen.leftOut.otherCount).toBe(1);
});

it('takes files that lie in no file system, but for those that cannot be read', async () => {
  const broken = Object.assign(new File(['x'], 'license.txt'), {
    arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')),
  });
  const others = ['b.lic', 'a.lic', 'a.ZIP', 'a.pdf'].map((name) => new File([], name));
  const chosen = await drop({}, [broken, ...others]);
  expect(paths(chosen)).toEqual([':a.lic', ':b.lic']);
  expect(leftOut(chosen).sort()).toEqual(['a.ZIP: archive', 'a.pdf: pdf', 'license.txt: unreadable']);
});

it('takes the files of an input, of a folder or not', async () => {
  const file = (name: string, webkitRelativePath: string) =>
    Object.assign(new File([], name), { webkitRelativePath });
  const list = [
    file('b.lic', 'all/srv2/b.lic'),
    file('b.lic', 'all/srv1/b.lic'),
    file('c.lic', 'all/c.lic'),
    file('readme.md', 'all/readme.md'),
    file('a.lic', ''),
    file('1.xlsx', ''),
  ];
  const chosen = await filesOfInput(list, NEVER);
  expect(paths(chosen)).toEqual([':a.lic', 'all:c.lic', 'all/srv1:b.lic', 'all/srv2:b.lic']);
  expect([leftOut(chosen), chosen.leftOut.otherCount]).toEqual([['1.xlsx: notLicense'], 1]);
});

it.each([
  [2000, 2000, false],
  [2001, 2000, true],
])('of %i licenses in a drop takes %i', async (count, taken, isCut) => {
  const chosen = await drop({ folder: lots(count) });
  expect([chosen.files.length, chosen.leftOut.isCut]).toEqual([taken, isCut]);
});

it('stops the search through folders when nobody waits for it any more', async () => {
  const stopping = new AbortController();
  const searching = drop({ folder: lots(1500) }, [], stopping.signal);
  stopping.abort();
  const { files } = await searching;
  expect(files.length).toBeLessThan(200);
});

describe('a file that is not called .lic', () => {
  const TEXT = 'Тип лицензии: клиент\nСрок действия: 31.12.2026\n';
  it.each([
    ['a.txt', TEXT, ['a.txt'], []],
    ['20240115', TEXT, ['20240115'], []],
    ['a.txt', 'Пароль: на стикере\n', [], ['a.txt: notLicense']],
    ['large.txt', TEXT + ' '.repeat(64 * 1024), [], ['large.txt: notLicense']],
  ])('%s: is taken by itself if its text says that it is a license', async (name, text, taken, left) => {
    const loose = new File([text], name);
    for (const chosen of [await drop({}, [loose]), await filesOfInput([loose], NEVER)]) {
      expect(chosen.files.map(({ file }) => file.name)).toEqual(taken);
      expect(leftOut(chosen)).toEqual(left);
    }
  });

  it('is one of the other files of a folder', async () => {
    const file = Object.assign(new File([TEXT], 'a.txt'), { webkitRelativePath: 'all/a.txt' });
    expect(await filesOfInput([file], NEVER)).toMatchObject({
      files: [],
      leftOut: { files: [], otherCount: 1 },
    });
  });
});
