import { expect, it } from 'vitest';
import { shortRunOptions } from '../../../src/ring/jvm-options.js';

const COMMON = ['-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-Xmx256m', '-XX:+UseSerialGC'];
const UNVERIFIED = '-XX:-BytecodeVerificationRemote';
const LOG = ['-Xlog:disable', '-Xlog:all=warning:stderr'];
const STAY = ['-XX:+UnlockDiagnosticVMOptions', '-XX:ArchiveRelocationMode=0'];

it.each<[string, number[], string[]]>([
  ['8: no verification, no unified log', [8], [...COMMON, UNVERIFIED]],
  ['9 to 12: no verification, log on stderr', [9, 11, 12], [...COMMON, UNVERIFIED, ...LOG]],
  ['13 to 16: log on stderr', [13, 16], [...COMMON, ...LOG]],
  ['17 and later: archived classes stay in place', [17, 21, 25], [...COMMON, ...LOG, ...STAY]],
])('JVM options of Java %s', (_title, majors, expected) => {
  for (const major of majors) expect(shortRunOptions(major, '')).toEqual(expected);
});

it.each<[string, string[]]>([
  ['-XX:+UseParallelGC -Dx', ['-XX:+UseSerialGC']],
  ['-Xmx1g', ['-Xmx256m']],
  ['-Xms512m', ['-Xmx256m']],
  ['-XX:InitialHeapSize=512m', ['-Xmx256m']],
  ['-XX:InitialRAMPercentage=50', ['-Xmx256m']],
  ['-XX:MaxHeapSize=1g', ['-Xmx256m']],
  ['-XX:MaxRAM=1g', ['-Xmx256m']],
  ['-XX:MaxRAMPercentage=50', ['-Xmx256m']],
  ['-XX:+BytecodeVerificationRemote', [UNVERIFIED]],
  ['-Xverify:all', [UNVERIFIED]],
  ['-Dfile.encoding=UTF-8', []],
])('RING_OPTS replaces JVM options: %s', (operatorOptions, replaced) => {
  const expected = shortRunOptions(8, '').filter((option) => !replaced.includes(option));
  expect(shortRunOptions(8, operatorOptions)).toEqual(expected);
});
