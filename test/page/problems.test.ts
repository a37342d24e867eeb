import { expect, it, vi } from 'vitest';
import { NO_FACTS, type Facts } from '../../src/web/page/model/facts.js';
import { openDomPage } from '../support/dom-page.js';
import { DAMAGED_ANSWER } from '../support/held-service.js';

const announced = () => document.querySelector('#strip [role=status]')?.textContent;

it('an error for which the page has no words is told as the service says it', async () => {
  const body = { error: 'cross_site_request', message: 'Said by the service.' };
  const page = await openDomPage(() => ({ status: 403, headers: { 'Content-Language': 'en' }, body }));
  page.choose({ name: 'a.lic' });
  await page.shows('Said by the service.');
  await page.press('Русский');
  await page.shows('1 файл');
  expect(page.text()).toContain('Said by the service.');
});

it('a license that cannot be drawn takes no other one from the list', async () => {
  const page = await openDomPage();
  const noted = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const fileOf = (name: string, clearText: Facts) => {
    return { name, folder: '', fingerprint: name, clearText, isUnlikely: false, bytes: new Blob() };
  };
  const broken = { ...NO_FACTS, kind: 'no kind' as 'client' };
  page.store.dispatch({
    type: 'filesRecognized',
    files: [fileOf('broken.lic', broken), fileOf('fine.lic', { ...NO_FACTS, product: 'Fine' })],
  });
  await page.shows('broken.lic: cannot be shown');
  expect(page.column('product')).toEqual(['Fine']);
  expect(noted).toHaveBeenCalledOnce();
});

it('a single file that ring could not decode is announced, and told of once with its name', async () => {
  const page = await openDomPage(() => DAMAGED_ANSWER);
  page.choose({ name: 'a.lic' });
  await expect.poll(announced).toBe('1 file could not be read.');
  expect(page.texts('.problem h2')).toEqual(['Could not read: a.lic']);
  expect(page.texts('.reason')).toEqual(['Damaged, not from 1C, or newer than ring']);
  expect(page.texts('.problem p')).toEqual([expect.stringMatching(/ring[.] Choose the original/)]);
});

it('why a file was not read stands in short in place of owner and PIN code, beside what its clear text says', async () => {
  const page = await openDomPage(() => ({
    status: 504,
    body: { error: 'decode_timeout', message: 'Slow.' },
  }));
  const text = 'eA==\nСрок действия: 31.12.2039\nНаименование продукта: Клиентская лицензия\n';
  page.choose({ name: 'a.lic', text }, { name: 'b.lic', text: `${text}\n` });
  await expect
    .poll(() => page.texts('.reason'))
    .toEqual(Array(2).fill('Reading took too long, including the wait in the queue'));
  expect([...page.column('owner'), ...page.column('pin')]).toEqual([]);
  expect(page.column('product')).toEqual(Array(2).fill('Клиентская лицензия number of seats not stated'));
});

it('what is probably no license stands last, and is read by its own button only', async () => {
  const page = await openDomPage();
  page.choose({ name: 'note.lic', text: 'A note' }, { name: 'z.lic' });
  await page.shows('1 file could not be read.');
  expect(page.texts('tr.heading').at(-1)).toBe('Probably not a license 1 file');
  expect(page.service.decodes).toEqual(['z.lic']);
  await page.press('Get PIN code: note.lic');
  await page.shows('2 files could not be read.');
  expect(page.service.decodes).toEqual(['z.lic', 'A note']);
});
