import { describe, expect, it } from 'vitest';
import { outputOf } from '../../../../src/ring/commands.js';
import { launcherError, versionsOffered } from '../../../../src/ring/output/launcher-error.js';
import { transcript } from '../../../support/fake-ring.js';

const errorIn = (stdout: string, exitCode = 254) => launcherError(outputOf({ exitCode, stdout, stderr: '' }));
const CALL = 'Неправильный вызов команды (для справки см. "ring help"): ';

describe('an error of the launcher', () => {
  it.each([
    [transcript('launcher-no-module-ru.txt'), `${CALL}Модуль "license" не зарегистрирован в реестре команд.`],
    [
      transcript('launcher-two-versions.txt'),
      `${CALL}Specify version for module "license". Available versions: 0.9.2, 0.15.0, 0.11.0.`,
    ],
    ['[DEBUG ] Central command registry configuration file: /x\r\n[ERROR ] No.\r\n', '…'],
    ['[ERROR] Module such', 'Module …'],
  ])('is found in %j, unless the exit status is 0', (stdout, words) => {
    expect(errorIn(stdout)).toBe(words);
    expect(errorIn(stdout, 1)).toBe(words);
    expect(errorIn(stdout, 0)).toBeUndefined();
  });

  it.each([
    '[ERROR ] com._1c.license.activator.ring.LicenseActivator - Файл поврежден.',
    '[ERROR ] crypt.Converter - Cannot read',
    '[WARN  ] Cannot read disk info.',
    'Ошибка получения списка лицензий\nПо причине: Ошибка при работе с хранилищем лицензий.',
    '',
  ])('is not what a module says: %j', (stdout) => expect(errorIn(stdout)).toBeUndefined());

  it('is the last of many, and a long one is read only in part', () => {
    const last = `[ERROR ] Модуль "license" не зарегистрирован. ${'x '.repeat(240_000)}`;
    const words = errorIn(`${'[ERROR ] a\n'.repeat(40_000)}${last}`);
    expect(words).toBe('Модуль "license" не зарегистрирован. …');
  });
});

it.each<[string, string[] | undefined]>([
  ['Укажите версию модуля. Доступные версии: 0.15.0-2:x86_64; 0.15.0+12', ['0.15.0-2', '0.15.0+12']],
  ['Specify version for module "license".', []],
  ['Модуль "license" не зарегистрирован в реестре команд.', undefined],
])('the versions in %j are %j', (words, versions) => expect(versionsOffered(words)).toEqual(versions));
