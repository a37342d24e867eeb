import { expect, it } from 'vitest';
import { failureOf, outputOf } from '../../../src/ring/commands.js';
import { transcript } from '../../support/fake-ring.js';

const SAID = [
  '',
  transcript('list-empty.txt'),
  transcript('list-nodir-ru.txt'),
  'Лицензии не найдены.',
  'No licenses found.',
  '[WARN  ] Cannot read disk info.',
  '[ERROR ] com._1c.license.activator.ring.LicenseActivator - Лицензия не найдена',
];

it.each(SAID)('%j is an answer of the license module, whatever the exit status', (stdout) => {
  for (const exitCode of [0, 1, 254, 255])
    expect(failureOf(outputOf({ exitCode, stdout, stderr: 'WARNING: deprecated' }))).toBeUndefined();
});
