import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { read, ROOT } from '../../support/project.js';

const { config, version } = JSON.parse(read('package.json')) as {
  config: { image: string };
  version: string;
};
it('every document and file for operators names the published image as package.json does', () => {
  const patterns = [
    '*.md',
    'compose.yaml',
    'Dockerfile',
    'docs/**/*.{md,yaml,service,conf}',
    '.github/**/*.{md,yml}',
  ];
  const paths = globSync(patterns, { cwd: ROOT });
  const names = paths.flatMap((path) => read(path).match(/\bghcr\.io\/[\w.-]+\/[\w.-]+/g) ?? []);
  expect(new Set(names)).toEqual(new Set([config.image]));
});

it('Compose and Kubernetes give their own images the same name, and the version of package.json', () => {
  const name = config.image.split('/').at(-1) ?? '';
  const images = (path: string) => [...read(path).matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image);
  expect(images('compose.yaml')).toContain(`${name}:local`);
  expect(images('docs/deploy/kubernetes.yaml')).toContain(`registry.example.com/${name}:${version}`);
});
