/**
 * What ring, its launcher and its JVM say themselves. Words of these sentences may be shown in the log and in a report of
 * the self-check; all others may come from a license. A new sentence of ring is added here. Some sentences were seen in one
 * language only, and the words of the other one are a guess.
 */
export const RING_SENTENCES = `
  Неправильный вызов команды (для справки см. ring help): Модуль license не зарегистрирован в реестре команд.
  Incorrect command call (for help see ring help): Module license_manager is not registered in the command registry.
  Укажите версию для модуля license. Доступные версии: Specify version for module license. Available versions:
  Central command registry configuration file; User command registry configuration file
  Ошибка получения списка лицензий. По причине: Ошибка при работе с хранилищем лицензий. Директория не найдена.
  Error working with the license storage. Directory, File not found. Cannot read disk info. scan
  Проверка лицензии выполнена успешно. License check passed for the following license.
  Проверка лицензии завершилась с ошибкой. Лицензия не найдена. License check failed. Причина. Reason. Cause.
  Ключевые параметры компьютера не соответствуют лицензии. Key computer parameters do not match the license. current
  activation input error. Пинкод. The PIN code is incomplete.
  Имя компьютера, файла. Файл. Computer name, OS, version, serial, installation date, Motherboard, RAM, BIOS, CPU,
  Processor, Network adapter, MAC, Hard disk, size, Phys mem, type. customer.
  VM warning; Exception in thread main at; Caused by; Suppressed; more`;

/** The words of a text, in lower case. */
export function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}_-]+/gu));
}
