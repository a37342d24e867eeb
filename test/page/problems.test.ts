import { expect, it, vi } from 'vitest';
import { NO_FACTS, type Facts } from '../../src/web/page/model/facts.js';
import { openDomPage } from '../support/dom-page.js';
import { DAMAGED_ANSWER, type Answer } from '../support/held-service.js';
import { decoded } from '../unit/web/model/licenses.js';

/** An answer with this as the company of the owner. */
const ownedBy = (company: unknown) => {
  const answer = decoded({});
  return { ...answer, structured: { ...answer.structured, owner: { company } } };
};
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

it.each<[string, Answer]>([
  ['has a number as the owner', { body: ownedBy(7) }],
  ['is of a gateway', { status: 400, body: { message: ['bad'], error: 'Bad Request' } }],
])('an answer that %s fails its file alone, which can be tried again', async (_what, answer) => {
  const page = await openDomPage((text) => (text === 'odd.lic' ? answer : { body: ownedBy('Romashka') }));
  page.choose({ name: 'good.lic' }, { name: 'odd.lic' });
  await page.shows('1 file could not be read.');
  expect(page.column('owner')).toEqual(['Romashka']);
  expect(page.texts('.reason')).toHaveLength(1);
  expect(page.texts('#strip button')).toEqual(['Show', 'Retry all failed']);
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

it.each([
  ['is empty', '', 'a.lic: empty, choose the original'],
  ['is a PDF', '%PDF-1.7', 'a.lic: a PDF, choose the original .lic file'],
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
  expect(page.column('product')).toEqual(Array(2).fill('Клиентская лицензия number of seats unknown'));
});

it('what is probably no license stands last, and is read by its own button only', async () => {
  const page = await openDomPage();
  page.choose({ name: 'note.lic', text: 'A note' }, { name: 'z.lic' });
  await page.shows('1 file could not be read.');
  expect(page.texts('tr.heading').at(-1)).toBe('Probably no license 1 file');
  expect(page.service.decodes).toEqual(['z.lic']);
  await page.press('Get PIN code: note.lic');
  await page.shows('2 files could not be read.');
  expect(page.service.decodes).toEqual(['z.lic', 'A note']);
});
