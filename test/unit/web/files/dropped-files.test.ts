import { expect, it } from 'vitest';
import { filesOfDrop, filesOfInput, type ChosenFiles } from '../../../../src/web/page/files/dropped-files.js';

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

/** A drop, whose list is empty as soon as the event is over. */
function drop(tree: Tree, loose: File[] = []): Promise<ChosenFiles> {
  const items = [
    ...Object.entries(tree).map(([name, node]) => ({ webkitGetAsEntry: () => entryOf(name, node) })),
    ...loose.map((file) => ({ webkitGetAsEntry: () => null, getAsFile: () => file })),
    { kind: 'string', webkitGetAsEntry: () => null, getAsFile: () => null },
  ] as unknown as DataTransferItem[];
  const chosen = filesOfDrop(items);
  items.length = 0;
  return chosen;
}

const leftOut = ({ leftOut }: ChosenFiles) => leftOut.map(({ name, reason }) => `${name}: ${reason}`);

const paths = ({ files }: ChosenFiles) => files.map(({ file, folder }) => `${folder}:${file.name}`);

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
  const names = ['readme.txt', 'lic', 'a.lic.bak', 'note.docx', 'a.xlsx'];
  expect(leftOut(chosen).sort()).toEqual(names.map((name) => `${name}: notLicense`).sort());
  expect(await chosen.files[3]?.file.text()).toBe('/srv2/var/1C/licenses/20240115120000.Lic');
});

it('reads a folder to its end, names what cannot be read and goes on with the rest', async () => {
  const lots = Object.fromEntries(Array.from({ length: 2_300 }, (_, i) => [`${i}.lic`, 'file' as const]));
  const chosen = await drop({
    'a.lic': 'unreadable',
    locked: { 'disk fault': 'file' },
    half: { ...lots, 'disk fault': 'file' },
    fine: { 'b.lic': 'file', 'c.lic': 'unreadable', 'c.txt': 'unreadable' },
  });
  expect(chosen.files).toHaveLength(2_301);
  const unreadable = ['a.lic', 'locked', 'half', 'c.lic'].map((name) => `${name}: unreadable`);
  expect(leftOut(chosen).sort()).toEqual([...unreadable, 'c.txt: notLicense'].sort());
});

it('takes files that lie in no file system', async () => {
  const chosen = await drop({}, [
    new File([], 'b.lic'),
    new File([], 'a.lic'),
    new File([], 'a.ZIP'),
    new File([], 'a.pdf'),
  ]);
  expect(paths(chosen)).toEqual([':a.lic', ':b.lic']);
  expect(leftOut(chosen)).toEqual(['a.ZIP: archive', 'a.pdf: pdf']);
});

it('takes the files of an input, of a folder or not', () => {
  const file = (name: string, webkitRelativePath: string) =>
    Object.assign(new File([], name), { webkitRelativePath });
  const chosen = filesOfInput([
    file('b.lic', 'all/srv2/b.lic'),
    file('b.lic', 'all/srv1/b.lic'),
    file('c.lic', 'all/c.lic'),
    file('readme.md', 'all/readme.md'),
    file('a.lic', ''),
    file('1.xlsx', ''),
  ]);
  expect(paths(chosen)).toEqual([':a.lic', 'all:c.lic', 'all/srv1:b.lic', 'all/srv2:b.lic']);
  expect(leftOut(chosen)).toEqual(['readme.md: notLicense', '1.xlsx: notLicense']);
});
