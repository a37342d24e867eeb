import { expect, it } from 'vitest';
import {
  compareVersions,
  MIN_JRE,
  MIN_RING,
  parseJavaVersion,
  parseRingVersion,
} from '../../../../src/ring/installation/versions.js';

it.each<[string, boolean]>([
  ['java version "1.4.2_19"', false],
  ['java version "1.8.0_152"', false],
  ['java version "1.8.0_161"', true],
  ['openjdk version "1.8.0_161-b12"', true],
  ['openjdk version "1.8.0-internal"', false],
  ['openjdk version "1.9.0-ea"', true],
  ['java version "9"', true],
  ['openjdk version "17.0.15" 2025-04-15', true],
  ['openjdk version "25-ea" 2025-09-16', true],
  ['Picked up JAVA_TOOL_OPTIONS: -Dversion="7"\nopenjdk version "21.0.2" 2024-01-16', true],
])('the version of the JRE %s: supported %s', (output, supported) => {
  const version = parseJavaVersion(`${output}\nOpenJDK Runtime Environment (build x)\n`);
  expect(compareVersions(version?.numbers ?? [], MIN_JRE.numbers) >= 0).toBe(supported);
});

it.each(['', 'sh: java: not found', 'version 17', 'java version 17'])(
  'the version of the JRE %j is none',
  (output) => expect(parseJavaVersion(output)).toBeUndefined(),
);

it.each<[string, string, boolean]>([
  ['0.19.5-12\n', '0.19.5-12', true],
  ['0.20.0+4\r\n', '0.20.0+4', true],
  ['[WARN  ] a.b - c 1.2.3\n0.11.5-3\n', '0.11.5-3', true],
  ['0.11.5-2', '0.11.5-2', false],
  ['0.11.5', '0.11.5', false],
  ['0.11.10-1', '0.11.10-1', true],
  ['10.0.0 \t\n', '10.0.0', true],
  ['0.19.5+12-x86_64', '0.19.5+12-x86_64', true],
  ['ring 0.19.5-12\n', '0.19.5-12', true],
  ['v0.19.5-12\n', '0.19.5-12', true],
  ['Ring v0.11.5-2', '0.11.5-2', false],
  ['0.19\n', '0.19', true],
  ['0.11', '0.11', false],
])('the version of ring %j: %s, supported %s', (output, text, supported) => {
  const version = parseRingVersion(output);
  expect(version?.text).toBe(text);
  expect(compareVersions(version?.numbers ?? [], MIN_RING.numbers) >= 0).toBe(supported);
});

it.each([
  '',
  'sh: 1: ring: not found',
  '19',
  'ring',
  'spring 0.19.5',
  '0.19.5 is not installed',
  'a/B has been compiled by a more recent version (class file version 55.0)',
])('the version of ring %j is none', (output) => expect(parseRingVersion(output)).toBeUndefined());

it('the texts of the oldest accepted versions have the numbers that stand beside them', () => {
  expect(parseRingVersion(MIN_RING.text)).toEqual(MIN_RING);
  expect(parseJavaVersion(`java version "${MIN_JRE.text}"`)).toEqual(MIN_JRE);
});

it('versions are compared by number, not as text', () => {
  expect(compareVersions([0, 9, 0], [0, 10, 0])).toBeLessThan(0);
  expect(compareVersions([0, 11], [0, 11, 0, 0])).toBe(0);
  expect(compareVersions([0, 11], [0, 11, 0, 1])).toBeLessThan(0);
});
