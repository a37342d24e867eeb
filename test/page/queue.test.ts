import { render } from 'preact';
import { expect, it } from 'vitest';
import { openDomPage } from '../support/dom-page.js';
import { decoded } from '../unit/web/model/licenses.js';

const files = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index + 1}.lic` }));
const done = () => ({ body: decoded({}) });

it('a service that is not ready is told of, is sent nothing, and reads as soon as it is', async () => {
  const page = await openDomPage(done);
  page.service.isReady = false;
  await page.shows('The service cannot read PIN codes and owners now.');
  page.choose(...files(3));
  await page.shows('Reading goes on by itself.');
  expect(page.service.decodes).toEqual([]);
  expect(page.texts('.license .problem')).toEqual([]);
  page.service.isReady = true;
  await page.press('Check now');
  await page.shows('3 of 3 read');
  expect(page.texts('.strip.broken')).toEqual([]);
});

it('a page says nothing of what another one has announced', async () => {
  const announced = () => document.querySelector('p.unseen[role=status]')?.textContent;
  const first = await openDomPage(done);
  first.choose(...files(2));
  await expect.poll(announced).toBe('2 of 2 read.');
  render(null, document.body);
  await openDomPage(done);
  expect(announced()).toBe('');
});

it('one, the next and all are canceled, and read when the user asks again', async () => {
  const page = await openDomPage(() => new Promise(() => undefined));
  page.choose(...files(4));
  const states = () => page.column('pin').join();
  await expect.poll(states).toBe('reading…,waiting,waiting,waiting');
  for (const name of ['2.lic', '1.lic']) {
    await page.press(`Actions: ${name}`);
    await page.press('Do not read this file');
  }
  await expect.poll(states).toBe('Read,Read,reading…,waiting');
  await expect.poll(() => page.service.decodes).toEqual(['1.lic', '3.lic']);
  page.service.respond = done;
  await page.press('Cancel');
  await expect.poll(states).toBe('Read,Read,Read,Read');
  await page.press('Read: 2.lic');
  await page.shows('1 of 4 read');
  await page.press('Read 3');
  await page.shows('4 of 4 read.');
});

it('all that failed are asked for again, while the filter shows only those', async () => {
  const page = await openDomPage(() => ({ status: 500, body: { error: 'internal', message: 'Failed.' } }));
  page.choose(...files(2));
  await page.shows('Failed: 1.lic, 2.lic.');
  expect(page.texts('.license .problem')).toEqual(['Failed.', 'Failed.']);
  await page.press(/^Errors 2/);
  page.service.respond = done;
  await page.press('Retry all failed');
  await page.shows('Nothing matches.');
  await page.shows('2 of 2 read');
});
