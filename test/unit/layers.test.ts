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

const layerOf = (path: string) => {
  const folder = dirname(relative(SRC, path)).split('/')[0] ?? '';
  const layer = LAYERS.findIndex((folders) => folders.includes(folder));
  if (layer === -1) throw new Error(`src/${folder} has no layer`);
  return { folder, layer };
};

it('no folder imports from one above it or beside it', () => {
  const files = (readdirSync(SRC, { recursive: true }) as string[]).filter((name) => /\.tsx?$/.test(name));
  const wrong = files.flatMap((name) => {
    const path = join(SRC, name);
    const own = layerOf(path);
    return [...readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, target = '']) => layerOf(resolve(dirname(path), target)))
      .filter(({ folder, layer }) => folder !== own.folder && layer >= own.layer)
      .map(({ folder }) => `${name} imports ${folder}/`);
  });
  expect(wrong).toEqual([]);
});
