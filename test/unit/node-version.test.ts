import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { expect, it } from 'vitest';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };

it.each([
  ...['20.20.2', '22.23.1', '23.11.1', '24.0.0', '24.18.0'].map((version) => [version, false] as const),
  ...['22.23.2', '24.21.0', '26.10.0'].map((version) => [version, true] as const),
])('the service starts on Node.js %s: %s', (version, isEnough) =>
  expect(satisfies(version, engines.node)).toBe(isEnough),
);
