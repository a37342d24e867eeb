import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** The folders of `src`, from the lowest layer to the highest; those of one line may not import each other. */
const LAYERS = [
  ['errors'],
  ['license', 'process'],
  ['config', 'ring', 'storage'],
  ['http'],
  ['access'],
  ['decode', 'license-folders', 'monitoring', 'status'],
  ['api-docs', 'web', 'doctor'],
  ['.'],
];

/** The folders within `ring`, in the same order. The files beside them are common to all. */
const RING_FOLDERS = ['output', 'installation', 'jvm'];

/** Programs lie beside what they run. They may import everything, as `server.ts` may, and nothing may import them. */
const PROGRAMS = ['doctor/doctor', 'license-folders/licenses'];

/** The folders within the page, in the same way. */
const PAGE_LAYERS = [
  ['model'],
  ['texts'],
  ['ui'],
  ['files', 'license', 'limit'],
  ['excel', 'reading'],
  ['list'],
  ['.'],
];

/** What each source below a folder imports of the project; paths are below the folder and have no ending. */
function importsOf(root: string): [path: string, imported: string[]][] {
  const files = (readdirSync(root, { recursive: true }) as string[]).filter((name) => /\.tsx?$/.test(name));
  return files.map((name) => {
    const found = readFileSync(join(root, name), 'utf8').matchAll(/(?:from|import\(?)\s*'(\.[^']+)\.js'/g);
    const imported = Array.from(found, ([, target = '']) =>
      relative(root, resolve(root, dirname(name), target)),
    );
    return [name.replace(/\.tsx?$/, ''), imported];
  });
}

function wrongImports(root: string, layers: string[][], programs: string[] = []): string[] {
  const placeOf = (path: string) => {
    if (programs.includes(path)) return { folder: path, layer: layers.length };
    const folder = dirname(path).split('/')[0] ?? '';
    const layer = layers.findIndex((folders) => folders.includes(folder));
    if (layer === -1) throw new Error(`${root}/${folder} has no layer`);
    return { folder, layer };
  };
  return importsOf(root).flatMap(([path, imported]) => {
    const own = placeOf(path);
    return imported
      .filter((target) => !target.startsWith('..'))
      .map(placeOf)
      .filter(({ folder, layer }) => folder !== own.folder && layer >= own.layer)
      .map(({ folder }) => `${path} imports ${folder}`);
  });
}

it('no folder imports from one above it or beside it', () => {
  expect(wrongImports(SRC, LAYERS, PROGRAMS)).toEqual([]);
});

it('of the folders within ring, each imports only from those before it', () => {
  const rankOf = (path: string) => RING_FOLDERS.indexOf(dirname(path));
  const wrong = importsOf(join(SRC, 'ring')).flatMap(([path, imported]) => {
    const isInFolder = rankOf(path) !== -1;
    const above = imported.filter((target) => isInFolder && rankOf(target) > rankOf(path));
    return above.map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

it('no file imports itself through others', () => {
  const left = new Map(importsOf(SRC));
  const isFree = ([, imported]: [string, string[]]) => !imported.some((target) => left.has(target));
  for (let free = [...left]; free.length > 0;) {
    free = [...left].filter(isFree);
    for (const [path] of free) left.delete(path);
  }
  expect([...left.keys()]).toEqual([]);
});

it('no folder of the page does either, and its model has no words and no browser', () => {
  const page = join(SRC, 'web/page');
  expect(wrongImports(page, PAGE_LAYERS)).toEqual([]);
  const model = readdirSync(join(page, 'model')).map((name) =>
    readFileSync(join(page, 'model', name), 'utf8'),
  );
  expect(model.join('\n')).not.toMatch(/from 'preact|\b(?:document|window|navigator)\./);
});
