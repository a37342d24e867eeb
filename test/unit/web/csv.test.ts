import { expect, it } from 'vitest';
import { structureLicense } from '../../../src/license/structured-license.js';
import { toCsv } from '../../../src/web/browser/csv.js';
import type { Item, ItemState } from '../../../src/web/browser/upload-queue.js';

const item = (name: string, state: ItemState): Item => ({ id: 1, file: new File([], name), state });

const failed = (text: string): ItemState => ({ name: 'failed', text: () => text, canRetry: false });

function license(company: string, validity: string): ItemState {
  const structured = structureLicense({
    name: '332588056123456-8100123456',
    pin: '332588056123456',
    info: `Информация о пользователе:\n    Компания: ${company}\nИнформация о продукте:\n    Описание: Лицензия на 20 рабочих мест\n`,
    valid: false,
    file: Buffer.from(`Тип лицензии: клиент\nСрок действия: ${validity}\n`),
    previousPin: null,
    hardware: null,
  });
  const texts = { licName: '', licData: '', validateData: '', licHWConfig: null, currentHWConfig: null };
  return { name: 'done', result: { ...texts, pinCode: '332-588-056-123-456', structured } };
}

it('has a BOM, a header and CRLF, and quotes what has a separator, a quote or a line end', () => {
  const items = [
    item('a;b.lic', license('ООО "Ромашка"', '31.12.2026')),
    item('c.lic', license('Ветер', 'не ограничен')),
    item('d.lic', failed('one\ntwo')),
  ];
  expect(toCsv(items, 'ru')).toBe(
    '\uFEFFФайл;Пин-код;Владелец;Продукт;Пользователей;Регистрационный номер;Срок действия;Подходит к компьютеру сервиса;Состояние;Ошибка\r\n' +
      '"a;b.lic";332-588-056-123-456;"ООО ""Ромашка""";Лицензия на 20 рабочих мест;20;8100123456;2026-12-31;нет;Прочитан;\r\n' +
      'c.lic;332-588-056-123-456;Ветер;Лицензия на 20 рабочих мест;20;8100123456;не ограничен;нет;Прочитан;\r\n' +
      'd.lic;;;;;;;;Не прочитан;"one\ntwo"\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '＋1', '－1', '＠1'])(
  'makes no formula of %j',
  (name) => {
    const [, row = ''] = toCsv([item(name, { name: 'waiting' })], 'en').split('\r\n');
    expect(row).toMatch(/^"?'/);
  },
);

it('leaves a minus and a plus inside of a text alone', () => {
  expect(toCsv([item('a-b+c=d@e.lic', { name: 'waiting' })], 'en')).toContain('\r\na-b+c=d@e.lic;');
});
