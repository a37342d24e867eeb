import { expect, it, onTestFinished } from 'vitest';
import { openDomPage } from '../support/dom-page.js';
import { decoded } from '../unit/web/model/licenses.js';

const files = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index + 1}.lic` }));
const done = () => ({ body: decoded({}) });

it('a service that cannot read is told of, and reads as soon as it can', async () => {
  const page = await openDomPage(() => ({
    status: 503,
    headers: { 'Retry-After': '600' },
    body: { error: 'storage_unavailable', message: '' },
  }));
  page.choose(...files(3));
  await page.shows('The service cannot store files at the moment.');
  await page.shows('Reading will resume automatically; next check in 10 minutes.');
  expect(page.texts('.license .problem')).toEqual([]);
  page.service.respond = done;
  await page.press('Check now');
  await expect.poll(() => page.texts('.license.done').length).toBe(3);
  expect(page.texts('.strip.broken')).toEqual([]);
});

it('screen readers are told when reading begins, ends and what failed, but not of each answer', async () => {
  const said: string[] = [];
  const page = await openDomPage((text) => {
    if (text === '2.lic') return { status: 500, body: { error: 'internal_error', message: '' } };
    return done();
  });
  const listening = setInterval(() => {
    const text = document.querySelector('#strip [role=status]')?.textContent ?? '';
    if (text !== '' && text !== said.at(-1)) said.push(text);
  });
  onTestFinished(() => clearInterval(listening));
  page.choose(...files(3));
  await expect.poll(() => said.at(-1)).toBe('1 file could not be read.');
  expect(said.filter((text) => text.includes('done'))).toEqual([]);
});

it('one, the next and all are canceled', async () => {
  const page = await openDomPage(() => new Promise(() => undefined));
  page.choose(...files(4));
  const states = () => page.column('pin').join();
  await expect.poll(states).toBe('Reading…,Waiting,Waiting,Waiting');
  await expect.poll(() => page.service.decodes).toEqual(['1.lic']);
  for (const name of ['2.lic', '1.lic']) {
    await page.open(name);
    await page.press('Do not read this file');
    await page.shows('Not read yet');
    await page.open(name);
  }
  await expect.poll(states).toBe('Get PIN code,Get PIN code,Reading…,Waiting');
  await expect.poll(() => page.service.decodes).toEqual(['1.lic', '3.lic']);
  await page.press('Cancel');
  await expect.poll(states).toBe('Get PIN code,Get PIN code,Get PIN code,Get PIN code');
});

it('all that failed are asked for again under a filter, and stay there when they are read', async () => {
  const page = await openDomPage(() => ({ status: 500, body: { error: 'internal_error', message: '' } }));
  page.choose(...files(2));
  await page.shows('2 files could not be read.');
  expect(page.texts('.license .problem')).toHaveLength(2);
  await page.press(/^Not read 2/);
  page.service.respond = done;
  await page.press('Retry all failed');
  await page.shows('Not read 0');
  await page.shows('All read, and deleted from the server.');
  expect(page.texts('.license.done')).toHaveLength(2);
});
