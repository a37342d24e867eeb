import type { ErrorCode, Language } from '../../../errors/catalog.js';

/**
 * What the page says of errors of the service, by their codes. The service speaks to programs and their authors, who
 * send requests by themselves; here a person has dropped a file, and the page tries again by itself where that helps. The
 * first sentence says what is wrong, and stands in the row; what to do follows.
 */
export const SERVICE_PROBLEM_TEXTS = {
  request_timeout: {
    en: 'The file did not reach the service in time. Try again over a faster connection.',
    ru: 'Файл передавался слишком долго, сервис его не дождался. Повторите по более быстрому каналу.',
  },
  license_undecodable: {
    en: 'Damaged, not from 1C, or newer than ring. Choose the original .lic file.',
    ru: 'Повреждён, не от 1С или слишком новый для ring. Выберите исходный файл .lic.',
  },
  internal_error: {
    en: 'The service failed. Try again; if it fails again, tell its administrator the X-Request-Id.',
    ru: 'Внутренняя ошибка сервиса. Повторите; если ошибка повторится, сообщите администратору сервиса значение X-Request-Id.',
  },
  ring_crashed: {
    en: 'ring crashed on this file. Check that it is the original; if it is, tell the administrator the X-Request-Id.',
    ru: 'На этом файле ring аварийно завершился. Проверьте, что это исходный файл; если да, сообщите администратору X-Request-Id.',
  },
  ring_unavailable: {
    en: 'The service cannot run ring, which reads licenses. Your files are not the cause.',
    ru: 'На сервере не запускается ring, а без него лицензии не прочитать. Ваши файлы ни при чём.',
  },
  queue_full: {
    en: 'The queue of the service is full: others are reading files, too.',
    ru: 'Очередь на чтение заполнена: сервисом пользуются и другие.',
  },
  storage_unavailable: {
    en: 'The service cannot store files at the moment.',
    ru: 'Сервис не может сохранить файл на время чтения.',
  },
  shutting_down: {
    en: 'The service is stopping or restarting.',
    ru: 'Сервис останавливается или перезапускается.',
  },
  ring_timeout: {
    en: 'ring did not finish in time and was stopped. Try again; if it fails again, tell the administrator of the service.',
    ru: 'ring работал слишком долго, сервис его остановил. Повторите; если ошибка повторится, сообщите администратору сервиса.',
  },
  decode_timeout: {
    en: 'Reading took too long, including the wait in the queue. Try again later.',
    ru: 'Чтение вместе с ожиданием в очереди заняло слишком много времени. Повторите позже.',
  },
} as const satisfies Partial<Record<ErrorCode, Record<Language, string>>>;
