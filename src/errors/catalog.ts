import { decodeRequests, perWindow, seconds } from './amounts.js';
import { LIFTS_LIMIT } from './token-problems.js';

/** Languages of the messages; the first is the default. */
export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A value of a message, the same in all languages or one for each. */
export type MessageValue = string | number | Record<Language, string>;

export interface ErrorEntry extends Record<Language, string> {
  status: number;
  /** Seconds after which a client may try again, for Retry-After and the message's `{wait}`. */
  retryAfter?: number;
  /** Values for the example in the API documentation. */
  example?: Record<string, MessageValue>;
}

/**
 * Every error of the API by its stable code. A message says what is wrong, then what to do; `{name}` stands for a value.
 * The `retryAfter` of `rate_limited` appears only in the API documentation, as an example. Each answer has the seconds
 * until the client's own window ends.
 */
const CATALOG = {
  not_multipart: {
    status: 400,
    en: 'The request is not a file upload. Send multipart/form-data with the .lic file in the field "license" (curl: -F license=@file.lic).',
    ru: 'Запрос отправлен не в формате multipart/form-data. Передайте в этом формате файл .lic в поле «license» (curl: -F license=@file.lic).',
  },
  malformed_body: {
    status: 400,
    en: 'The form is malformed or lacks its closing boundary. Let curl, Postman or an HTTP library build it: Content-Length counts bytes, not characters.',
    ru: 'Тело запроса составлено неверно, или в нём нет закрывающей границы (boundary). Отправьте файл через curl, Postman или HTTP-библиотеку. Content-Length — это длина в байтах, а не в символах.',
  },
  file_missing: {
    status: 400,
    en: 'The field "license" has no file, or its file name is missing or cannot be read. Send it as a file (curl: -F license=@file.lic).',
    ru: 'В поле «license» нет файла, либо имя файла не указано или не читается. Передайте его как файл (curl: -F license=@file.lic).',
  },
  unexpected_file: {
    status: 400,
    en: 'The form has more than one file, or a file in another field. Send one .lic file in the field "license".',
    ru: 'В запросе больше одного файла или файл передан в другом поле. Отправьте один файл .lic в поле «license».',
  },
  wrong_file_name: {
    status: 400,
    en: 'The file name does not end in .lic. If it is a license file, rename it, or name the upload so (curl: -F "license=@file.txt;filename=license.lic").',
    ru: 'Имя файла не заканчивается на .lic. Если это файл лицензии, переименуйте его или задайте имя при отправке (curl: -F "license=@file.txt;filename=license.lic").',
  },
  bad_request: {
    status: 400,
    en: 'The path, the headers or the framing of the request break HTTP/1.1. Send it with an HTTP library.',
    ru: 'Запрос не соответствует HTTP/1.1: ошибка в пути, в заголовках или в передаче тела. Отправьте его через curl или HTTP-библиотеку.',
  },
  cross_site_request: {
    status: 403,
    en: 'A page of another site sent this request, which this service does not allow. Ask the operator to add the origin to CORS_ORIGINS.',
    ru: 'Запрос отправлен со страницы другого сайта, а это запрещено. Попросите администратора добавить адрес того сайта в CORS_ORIGINS.',
  },
  not_found: {
    status: 404,
    en: 'There is nothing at this path. Use POST /api/decode or GET /api/status; GET /api/docs describes the API.',
    ru: 'По этому адресу ничего нет. Доступны POST /api/decode и GET /api/status, описание API — GET /api/docs.',
  },
  method_not_allowed: {
    status: 405,
    en: '{method} is not allowed on this path. Use {allow}.',
    ru: 'Метод {method} здесь не поддерживается. Используйте {allow}.',
    example: { method: 'PUT', allow: 'POST' },
  },
  request_timeout: {
    status: 408,
    en: 'The request did not arrive within {time}. Send it again over a faster connection; if it is complete, its Content-Length is too large.',
    ru: 'За {time} запрос не пришёл целиком. Повторите его по более быстрому каналу; если он передан весь, значение Content-Length слишком велико.',
    example: { time: seconds(90) },
  },
  file_too_large: {
    status: 413,
    en: 'The file is larger than 5242880 bytes (5 MB). A license file has a few kilobytes: check that it is the right one.',
    ru: 'Файл больше 5242880 байт (5 МБ). Файл лицензии занимает несколько килобайт: проверьте, тот ли это файл.',
  },
  body_compressed: {
    status: 415,
    en: 'The request body is compressed. Send it without Content-Encoding.',
    ru: 'Тело запроса сжато. Отправьте его без сжатия и без заголовка Content-Encoding.',
  },
  file_empty: {
    status: 422,
    en: 'The file is empty. Upload the original .lic file.',
    ru: 'Файл пуст. Загрузите исходный файл .lic.',
  },
  license_undecodable: {
    status: 422,
    en: 'ring could not decode the file: it is damaged, not a 1C:Enterprise license, or too new for this ring. Upload the original file, or tell the operator.',
    ru: 'ring не смог прочитать файл: либо файл повреждён, либо это не лицензия «1С:Предприятия», либо ring для неё слишком старый. Загрузите исходный файл или обратитесь к администратору.',
  },
  rate_limited: {
    status: 429,
    en: 'Maximum of {max} {window}. Try again in {wait}.{token}',
    ru: 'Запросов на чтение — не больше {max} {window}. Повторите через {wait}.{token}',
    retryAfter: 1800,
    example: { max: decodeRequests(3), window: perWindow(3600), token: LIFTS_LIMIT },
  },
  headers_too_large: {
    status: 431,
    en: 'The headers are larger than 16384 bytes. Send fewer or shorter headers.',
    ru: 'Заголовки запроса больше 16384 байт. Сократите их.',
  },
  internal_error: {
    status: 500,
    en: 'The service failed unexpectedly. Try again; if it fails again, tell the operator the X-Request-Id.',
    ru: 'Внутренняя ошибка сервиса. Повторите запрос; если ошибка повторится, сообщите администратору значение X-Request-Id.',
  },
  ring_crashed: {
    status: 502,
    en: 'ring crashed on this file. Check that it is the original .lic file; if it is, tell the operator the X-Request-Id.',
    ru: 'ring аварийно завершился на этом файле. Проверьте, что это исходный файл .lic; если да, сообщите администратору значение X-Request-Id.',
  },
  ring_unavailable: {
    status: 503,
    en: 'The service cannot run ring, the tool that decodes licenses; your file is not the cause. Tell the operator the X-Request-Id: the log has the reason.',
    ru: 'Сервис не может запустить ring, а без него лицензию не прочитать. Ваш файл ни при чём. Сообщите администратору значение X-Request-Id: причина есть в журнале.',
  },
  queue_full: {
    status: 503,
    en: 'The queue is full. Try again in {wait}.',
    ru: 'Очередь на чтение заполнена. Повторите запрос через {wait}.',
    retryAfter: 5,
  },
  storage_unavailable: {
    status: 503,
    en: 'Temporary storage is unavailable. Try again in {wait}; if it fails again, tell the operator.',
    ru: 'Сервис не может сохранить файл на время чтения. Повторите запрос через {wait}; если ошибка повторится, сообщите администратору.',
    retryAfter: 30,
  },
  shutting_down: {
    status: 503,
    en: 'The service is stopping or restarting. Try again in {wait}.',
    ru: 'Сервис останавливается или перезапускается. Повторите запрос через {wait}.',
    retryAfter: 5,
  },
  ring_timeout: {
    status: 504,
    en: 'ring did not finish in time and was stopped. Try again; if it fails again, tell the operator.',
    ru: 'ring работал слишком долго, сервис его остановил. Повторите запрос; если ошибка повторится, сообщите администратору.',
  },
  decode_timeout: {
    status: 504,
    en: 'The decode took longer than {time}, including the wait in the queue. Try again later.',
    ru: 'Чтение файла вместе с ожиданием в очереди заняло больше {time}. Повторите запрос позже.',
    example: { time: seconds(55) },
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof CATALOG;
export const ERROR_CODES = Object.keys(CATALOG) as [ErrorCode, ...ErrorCode[]];

export const catalogEntry = (code: ErrorCode): ErrorEntry => CATALOG[code];
