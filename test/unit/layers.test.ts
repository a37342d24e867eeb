import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** The folders of `src`, from the lowest layer to the highest; those of one line may not import each other. */
const LAYERS = [
  ['errors'],
  ['license'],
  ['ring', 'storage'],
  ['http'],
  ['config'],
  ['access'],
  ['decode', 'monitoring'],
  ['api-docs', 'web', 'doctor'],
  ['.'],
];

/** The same within the page. */
const PAGE_LAYERS = [['model'], ['texts'], ['ui'], ['excel', 'files', 'license', 'limit', 'list'], ['.']];

function wrongImports(root: string, layers: string[][], isOutside?: (path: string) => boolean): string[] {
  const layerOf = (path: string) => {
    const folder = dirname(relative(root, path)).split('/')[0] ?? '';
    const layer = layers.findIndex((folders) => folders.includes(folder));
    if (layer === -1) throw new Error(`${root}/${folder} has no layer`);
    return { folder, layer };
  };
  const files = (readdirSync(root, { recursive: true }) as string[]).filter((name) => /\.tsx?$/.test(name));
  return files.flatMap((name) => {
    const path = join(root, name);
    const own = layerOf(path);
    return [...readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, target = '']) => resolve(dirname(path), target))
      .filter((target) => !isOutside?.(target))
      .map(layerOf)
      .filter(({ folder, layer }) => folder !== own.folder && layer >= own.layer)
      .map(({ folder }) => `${name} imports ${folder}/`);
  });
}

it('no folder imports from one above it or beside it', () => {
  expect(wrongImports(SRC, LAYERS)).toEqual([]);
});

it('no folder of the page does either, and its model has no words and no browser', () => {
  const page = join(SRC, 'web/page');
  const isOutside = (target: string) => !target.startsWith(`${page}/`);
  expect(wrongImports(page, PAGE_LAYERS, isOutside)).toEqual([]);
  const model = readdirSync(join(page, 'model')).map((name) =>
    readFileSync(join(page, 'model', name), 'utf8'),
  );
  expect(model.join('\n')).not.toMatch(/from 'preact|\b(?:document|window|navigator)\./);
});
