import { describe, expect, it } from 'vitest';
import { outputOf } from '../../../../src/ring/commands.js';
import { launcherError, versionsOffered } from '../../../../src/ring/output/launcher-error.js';
import { transcript } from '../../../support/fake-ring.js';

const said = (stdout: string, exitCode = 254) => launcherError(outputOf({ exitCode, stdout, stderr: '' }));
const CALL = 'Неправильный вызов команды (для справки см. "ring help"): ';

it('only the last words count, and only their beginning is read', () => {
  const last = `[ERROR ] Модуль "license" не зарегистрирован. ${'x '.repeat(240_000)}`;
  expect(said(`${'[ERROR ] a\n'.repeat(40_000)}${last}`)).toBe('Модуль "license" не зарегистрирован. …');
});

describe("the launcher's words", () => {
  it.each([
    [transcript('launcher-no-module-ru.txt'), `${CALL}Модуль "license" не зарегистрирован в реестре команд.`],
    [
      transcript('launcher-two-versions.txt'),
      `${CALL}Specify version for module "license". Available versions: 0.9.2, 0.15.0, 0.11.0.`,
    ],
    ['[DEBUG ] Central command registry configuration file: /x\r\n[ERROR ] No.\r\n', '…'],
    ['[ERROR] Version such - license_manager', 'Version … license_manager'],
    ['[ERROR ] Module "license@0.15.0-2:x86_64"', 'Module "license@0.15.0-2:x86_64"'],
    ['[ERROR ] Module license@332588056123456', 'Module …'],
    ['[ERROR ] Неправильный вызов 332588056123456-8100123456', 'Неправильный вызов …'],
    [
      `[ERROR ] ${CALL}Ветрова Мария, ПИН 481-207-935-660-142,\n компьютер BUH-PC\n 10.0.0.1 не license`,
      `${CALL}… не license`,
    ],
    [
      '[ERROR ] Доступные версии: 0.15.0-2:x86; 0.9+1 0.9.2buh 0.9.2',
      'Доступные версии: 0.15.0-2:x86; 0.9+1 …',
    ],
  ])('of %j are read', (stdout, words) => {
    expect(said(stdout)).toBe(words);
    expect(said(stdout, 1)).toBe(words);
    expect(said(stdout, 0)).toBeUndefined();
  });

  it.each([
    '[ERROR ] com._1c.license.activator.ring.LicenseActivator - Файл поврежден.',
    '[ERROR ] crypt.Converter - Cannot read',
    '[WARN  ] Cannot read disk info.',
    'Ошибка получения списка лицензий\nПо причине: Ошибка при работе с хранилищем лицензий.',
    '',
  ])('are not what a module says: %j', (stdout) => expect(said(stdout)).toBeUndefined());

  it('are bounded', () => expect(said(`[ERROR ] ${'module '.repeat(1e5)}`)).toHaveLength(300));
});

it.each<[string, string[] | undefined]>([
  ['Укажите версию модуля. Доступные версии: 0.15.0-2:x86_64; 0.15.0+12', ['0.15.0-2', '0.15.0+12']],
  ['Specify version for module "license".', []],
  ['Модуль "license" не зарегистрирован в реестре команд.', undefined],
])('the versions in %j are %j', (words, versions) => expect(versionsOffered(words)).toEqual(versions));
