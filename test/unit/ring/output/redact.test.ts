import { expect, it } from 'vitest';
import { redactSentence } from '../../../../src/ring/output/redact.js';

const CALL = 'Неправильный вызов команды (для справки см. "ring help"): ';

it.each([
  [`${CALL}Модуль "license" не зарегистрирован.`, `${CALL}Модуль "license" не зарегистрирован.`],
  ['No.', '…'],
  ['Reason: User command registry of Ветрова', 'Reason: User command registry …'],
  ['Version such - license_manager', 'Version … license_manager'],
  ['Module "license@0.15.0-2:x86_64"', 'Module "license@0.15.0-2:x86_64"'],
  ['Module license@332588056123456', 'Module …'],
  ['Неправильный вызов 332588056123456-8100123456', 'Неправильный вызов …'],
  [
    `${CALL}Ветрова Мария, ПИН 481-207-935-660-142,\n компьютер BUH-PC\n 10.0.0.1 не license`,
    `${CALL}… не license`,
  ],
  ['Доступные версии: 0.15.0-2:x86;\n 0.9+1 0.9.2buh 0.9.2', 'Доступные версии: 0.15.0-2:x86; 0.9+1 …'],
  ['', ''],
])('of %j stays %j', (sentence, redacted) => expect(redactSentence(sentence)).toBe(redacted));

it('a redacted sentence has at most 300 characters', () => {
  expect(redactSentence('module '.repeat(100_000))).toHaveLength(300);
});

it('only the beginning of a sentence is read', () => {
  expect(redactSentence(`Модуль ${'x '.repeat(240_000)} license`)).toBe('Модуль …');
});
