import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitLogRecords } from '../../../../src/ring/output/log-records.js';
import { verdictOf } from '../../../../src/ring/output/verdict.js';
import { transcript, transcriptPath } from '../../../support/fake-ring.js';

const verdict = (exitCode: number, stdout: string) => verdictOf(exitCode, splitLogRecords(stdout).text);

const MISMATCHES = ['validate-debug-ru.txt', 'validate-mismatch-en.txt', 'validate-mismatch-ru.txt'];
const ALL = readdirSync(transcriptPath('')).filter((name) => name.endsWith('.txt'));

/** Those with the headline of a failed check, which contradicts the exit status 0. */
const FAILED = [...MISMATCHES, 'info-unknown-ru.txt'];

it.each(ALL)(
  'the transcript %s is a verdict only if it is a mismatch, or any other text with status 0',
  (name) => {
    const text = transcript(name);
    expect(verdict(1, text)).toBe(MISMATCHES.includes(name) ? false : null);
    const hasPassed = splitLogRecords(text).text !== '' && !FAILED.includes(name);
    expect(verdict(0, text)).toBe(hasPassed ? true : null);
  },
);

const RU = 'Проверка лицензии завершилась с ошибкой.';
const EN = 'License check failed.';
const PARAMETERS = 'Ключевые параметры компьютера не соответствуют лицензии';

describe('with another exit status', () => {
  it.each([
    RU,
    EN,
    `Ошибка.\nПо причине: ${PARAMETERS}`,
    'Reason: Key parameters have changed.',
    `${RU}\nПо причине: ${PARAMETERS}: Имя компьютера: storage`,
    `${RU}\nПо причине: Изменилось:\n    Имя компьютера: Storage (в лицензии), нет связи (текущее)`,
    `${EN}\nReason: Something else.`,
    'Проверка лицензии "332588056123456-8100123456" (файл: "a.lic") завершилась с ошибкой.\nПо причине: Иное.',
    'License check "332588056123456-8100123456" (file: "a.lic") failed.\nReason: Something else.',
    `${RU}\nПо причине: Файл "/mnt/storage/directory/a.lic" не подходит.`,
    `${RU}\nПо причине: Файл «/srv/хранилище/a.lic» не подходит.`,
    `${RU}\nПо причине: Ключ защиты не подключен.`,
    `${EN}\nReason: The hardware key is not connected.`,
  ])('%j says that the license does not fit', (text) => expect(verdict(1, text)).toBe(false));

  it.each([
    '',
    '[ERROR ] com._1c.license.activator.ring.LicenseActivator - Файл поврежден.',
    'Файл поврежден',
    `${RU} Лицензия не найдена`,
    `${RU}\nПо причине: Лицензии не найдены.`,
    `${RU}\nПо причине: Ошибка при работе с хранилищем лицензий.\n По причине: Нет доступа.`,
    `${RU}\nПо причине: Ошибка.\n  По причине: Директория не найдена: "/var/lic".`,
    `По причине: ${PARAMETERS} неизвестны.\nПо причине: Директория не найдена.`,
    `${RU}\nПо причине: Внутренняя ошибка: java.lang.NullPointerException`,
    `${RU}\nПо причине: Ошибка проверки: com._1c.license.CheckException: 1`,
    `${RU}\nПо причине: Нет соединения с сервером.`,
    `${RU}\nПо причине: Не удалось подключиться к серверу.`,
    `${RU}\nПо причине: Не удалось получить параметры компьютера.`,
    `${RU}\nПо причине: Ошибка получения ключевых параметров компьютера.`,
    `${RU}\nПо причине: Ключевые параметры компьютера не определены.`,
    `${EN}\nReason: Internal error.`,
    `${EN}\nReason: No connection to the server.`,
    `${EN}\nReason: Could not connect to the server.`,
    `${EN}\nReason: Failed to obtain the key computer parameters.`,
    `${EN}\nReason: Computer parameters could not be determined.`,
    `${EN} License not found`,
    `${EN}\nReason: The license was not found.`,
    `${EN}\nReason: License storage error.`,
    `${EN}\nReason: Directory is missing.`,
  ])('%j is no verdict', (text) => expect(verdict(1, text)).toBeNull());
});
