import { expect, it } from 'vitest';
import { failureOf, isDirectoryFault, outputOf } from '../../../src/ring/commands.js';
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

const NOBODY_CAUGHT = 'Exception in thread "main"';
it.each<[string, string, boolean]>([
  [transcript('list-nodir-ru.txt'), '', true],
  ['', `${NOBODY_CAUGHT} java.nio.file.AccessDeniedException: /home/a/.1C`, true],
  ['', `${NOBODY_CAUGHT} java.nio.file.FileSystemException: /home/a/.1C: Read-only file system`, true],
  ['', `${NOBODY_CAUGHT} java.io.FileNotFoundException: /home/a/.1C (Permission denied)\n\tat a.B.c`, true],
  ['', `${NOBODY_CAUGHT} java.io.IOException: No space left on device`, true],
  ['Ошибка при работе с хранилищем лицензий.', '', false],
  ['Ошибка.\nПо причине: Файл "Директория не найдена: "/x"" поврежден.', '', false],
  ['', `${NOBODY_CAUGHT} java.lang.IllegalArgumentException: Permission denied`, false],
  ['', `${NOBODY_CAUGHT} java.nio.file.NoSuchFileException: a.lic`, false],
  ['', 'java.nio.file.AccessDeniedException: /dev/sda', false],
])('of %j and %j a missing or read-only directory is the cause: %s', (stdout, stderr, expected) => {
  expect(isDirectoryFault(outputOf({ exitCode: 1, stdout, stderr }))).toBe(expected);
  expect(isDirectoryFault(outputOf({ exitCode: 0, stdout, stderr }))).toBe(false);
});
