import { expect, it } from 'vitest';
import { openDomPage } from '../support/dom-page.js';
import { DAMAGED_ANSWER } from '../support/held-service.js';

const announced = () => document.querySelector('#strip [role=status]')?.textContent;

it('an error that the page does not know is told as the service says it', async () => {
  const body = { error: 'new_error', message: 'Said by the service.' };
  const page = await openDomPage(() => ({ status: 422, headers: { 'Content-Language': 'en' }, body }));
  page.choose({ name: 'a.lic' });
  await page.shows('Said by the service.');
  await page.press('Русский');
  await page.shows('1 файл');
  expect(page.text()).toContain('Said by the service.');
});

it.each([
  ['is empty', '', 'Empty, choose the original: a.lic'],
  ['is a PDF', '%PDF-1.7', 'A PDF, choose the original .lic file: a.lic'],
])('a file that %s is left out, and the service is not asked', async (_what, text, said) => {
  const page = await openDomPage();
  page.choose({ name: 'a.lic', text });
  await expect.poll(() => page.texts('.left-out p')).toEqual([said]);
  expect(page.service.decodes).toEqual([]);
});

it('a single file that ring could not decode is announced, and told of once with its name', async () => {
  const page = await openDomPage(() => DAMAGED_ANSWER);
  page.choose({ name: 'a.lic' });
  await expect.poll(announced).toBe('1 file could not be read.');
  expect(page.texts('.problem h2')).toEqual(['Could not read: a.lic']);
  expect(page.texts('.reason')).toEqual(['Damaged, not from 1C, or newer than ring']);
  expect(page.texts('.problem p')).toEqual([expect.stringMatching(/ring[.] Choose the original/)]);
});

it('why a file was not read stands in short from the computer on, beside what its clear text says', async () => {
  const page = await openDomPage(() => ({
    status: 504,
    body: { error: 'decode_timeout', message: 'Slow.' },
  }));
  const text = 'eA==\nСрок действия: 31.12.2039\nНаименование продукта: Клиентская лицензия\n';
  page.choose({ name: 'a.lic', text }, { name: 'b.lic', text: `${text}\n` });
  await expect
    .poll(() => page.texts('.reason'))
    .toEqual(Array(2).fill('Reading took too long, including the wait in the queue'));
  expect(page.column('computer')).toEqual([]);
  expect(page.column('product')).toEqual(Array(2).fill('Клиентская лицензия'));
});
