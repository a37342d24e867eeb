import { expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { openDomPage } from '../support/dom-page.js';
import { answerAbout, DAMAGED_ANSWER, PERMIT } from '../support/held-service.js';
import { decoded } from '../unit/web/model/licenses.js';

const FLEET = fleet(40);
const LIMIT = 5;

it('a list longer than the limit is shown at once, and what is not counted by its own button', async () => {
  const page = await openDomPage(answerAbout, LIMIT);
  page.choose(...FLEET);
  await page.shows('40 licenses not read yet');
  await page.shows('Valid longer');
  expect(page.service.decodes).toEqual([]);
  await page.press('2 more not counted');
  await expect
    .poll(() => page.column('product'))
    .toEqual(['Client ПРОФ, kit of 10 number of seats not stated', FLEET[24]?.name]);
});

it('a list is searched, filtered and sorted, and its filters and sums follow', async () => {
  const page = await openDomPage(answerAbout, LIMIT);
  page.choose(...FLEET);
  await page.shows('40 licenses');
  page.type('#search', 'buh-pc-003');
  await page.shows('1 of 40 licenses');
  expect(page.column('computer')).toEqual(['BUH-PC-003']);
  expect(page.texts('.chip')).toEqual(['Client 1', 'Not read 1']);
  expect(page.texts('.summary > *')).toEqual([
    '1 of 40 licenses',
    'on 1 computer',
    '50 seats',
    'Owners known: 0 of 40',
  ]);
  page.type('#search', 'nothing like it');
  await page.shows('Nothing matches.');
  expect(page.texts('.summary > *')).toEqual(['0 of 40 licenses', 'Owners known: 0 of 40']);
  expect(page.texts('.empty button')).toEqual(['Show all']);
  await page.press('Clear the search');
  expect(document.activeElement?.id).toBe('search');
  await page.press(/^Server/);
  await expect.poll(() => [...new Set(page.column('product'))]).toEqual(['Server x86-64']);
  await page.press(/^Expired/);
  await expect.poll(() => page.texts('.heading')).toEqual([expect.stringMatching(/^Expired 5 licenses/)]);
  // By a column it has no headings.
  await page.press('Computer');
  await expect.poll(() => page.texts('.heading, th[aria-sort=ascending]')).toEqual(['Computer']);
});

it('a list is cleared only once the user has confirmed it', async () => {
  const page = await openDomPage(() => DAMAGED_ANSWER);
  const isAsked = () => document.querySelector<HTMLDialogElement>('#clear-dialog')?.open;
  page.choose({ name: 'a.lic' }, { name: 'b.lic' });
  // Both are refused, so they are files and no licenses.
  await page.shows('2 files');
  await page.askToClear();
  expect(isAsked()).toBe(true);
  await page.press('Keep the list');
  expect([isAsked(), page.store.licenses.value.length]).toEqual([false, 2]);
  await page.askToClear();
  await page.press('Clear the list');
  await page.shows('Choose license files');
});

it('what is shown is removed only once the user has confirmed it', async () => {
  const page = await openDomPage();
  page.choose(...FLEET.slice(0, 3));
  await expect.poll(() => page.texts('.license.done').length).toBe(3);
  page.type('#search', 'buh-pc-001');
  const ask = async () => {
    await page.press('More actions');
    await page.press('Remove the 1 shown…');
  };
  await ask();
  expect(page.texts('#remove-dialog[open] > :is(h2, p)')).toEqual([
    'Remove the 1 shown?',
    expect.stringMatching(/^What was read is lost/),
    expect.any(String),
  ]);
  await page.press('Keep the list');
  expect(page.store.licenses.value).toHaveLength(3);
  await ask();
  await page.press('Remove from the list');
  await page.shows('0 of 2 licenses');
});

it('what was left out is named until it is hidden, the list is cleared or more files come', async () => {
  const page = await openDomPage();
  const said = () => page.texts('.left-out p');
  const documents = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name: `${name}.docx` }));
  page.choose({ name: 'a.lic' }, ...documents, { name: 'a.pdf' });
  await expect
    .poll(said)
    .toEqual([
      'a.docx, b.docx, c.docx and 2 more: not a license',
      'a.pdf: a PDF, choose the original .lic file',
    ]);
  await page.press('Hide');
  await expect.poll(said).toEqual([]);
  expect(document.activeElement?.id).toBe('files');
  page.choose({ name: 'b.lic' }, { name: 'b.txt' });
  await expect.poll(said).toEqual(['b.txt: not a license']);
  page.choose({ name: 'c.lic' });
  await expect.poll(said).toEqual([]);
  page.choose({ name: 'd.rar' }, { name: 'e.txt' });
  await expect.poll(said).toEqual(['d.rar: an archive, unpack it first', 'e.txt: not a license']);
  await page.askToClear();
  await page.press('Clear the list');
  await expect.poll(said).toEqual([]);
});

it('of the other files of a folder only their number is told, and names keep to themselves what turns text round', async () => {
  const page = await openDomPage();
  const others = Array.from({ length: 40 }, (_, index) => ({ name: `${index}.docx`, folder: 'srv' }));
  page.choose({ name: 'a.lic', folder: 'srv' }, ...others, { name: 'empty.lic', folder: 'srv', text: '' });
  await expect
    .poll(() => page.texts('.left-out p'))
    .toEqual([
      'empty.lic: empty, choose the original',
      'Other files of the folder, left out because they are not .lic: 40',
    ]);

  // U+202E writes what follows it from right to left.
  page.choose({ name: 'a\u202Ecod.exe' });
  await expect.poll(() => page.texts('.left-out p bdi')).toEqual(['a\u202Ecod.exe']);
});

it('the Excel sheet has owners unless told otherwise, and nothing of them before they are known', async () => {
  const page = await openDomPage(answerAbout, LIMIT);
  const boxes = () =>
    [...document.querySelectorAll<HTMLInputElement>('#excel-dialog input')].map(({ checked, disabled }) => ({
      checked,
      disabled,
    }));
  page.choose(...FLEET);
  await page.press('Excel');
  await page.shows('Owners and PIN codes are not known until the files are read.');
  expect(boxes()).toEqual([
    { checked: false, disabled: true },
    { checked: false, disabled: true },
  ]);
  await page.press('Read the 5 most urgent');
  await page.shows('Neither the page nor the service keeps PIN codes');
  expect(boxes()).toEqual([
    { checked: true, disabled: false },
    { checked: false, disabled: false },
  ]);
});

it('the owner stands in the details in the order in which a new activation asks, and each value is copied by a press', async () => {
  const owner = ['Улица: Свободы ул', 'Компания: ООО "$(x)"', 'Имя: Иван', 'Индекс: 300022'];
  const page = await openDomPage(() => ({ body: decoded({ owner }) }));
  page.choose({ name: 'a.lic' });
  await page.shows('Owner details');
  expect(page.texts('dl.fields dd button')).toEqual([
    'Copy First name: Иван',
    'Copy Company: ООО "$(x)"',
    'Copy ZIP code: 300022',
    'Copy Street: Свободы ул',
  ]);
  await page.press('Reactivate');
  expect(page.text()).toContain('The previous PIN code is the one of this license');
  expect(page.text()).toContain('Tools – License acquisition…');
});

const inFolder = (name: string) => ({ name, folder: 'srv' });

it('the progress counts the files that were asked for, in the strip and in the title of the page', async () => {
  const page = await openDomPage(() => new Promise(() => undefined), LIMIT);
  page.choose(inFolder('a.lic'));
  await page.shows('Reading the file…');
  // Of one file nobody knows how far it is.
  expect(document.querySelector('progress')?.hasAttribute('value')).toBe(false);
  page.choose(inFolder('b.lic'));
  await page.shows('Reading 2 files. 0 of 2 done.');
  await expect.poll(() => document.title).toMatch(/^0\/2 /);
  page.choose(inFolder('c.lic'), inFolder('f.lic'), inFolder('g.lic'), inFolder('h.lic'));
  await page.press('Get PIN code: c.lic');
  await page.shows('Reading 3 files. 0 of 3 done.');
  await page.press('Do not read this file');
  await page.shows('Reading 2 files. 0 of 2 done.');
});

it('of a license with several copies the details have each path by itself, also the same one twice', async () => {
  const page = await openDomPage();
  const folders = ['server 1', 'server 1', 'server 2'];
  const { name, text } = FLEET[0] ?? expect.unreachable();
  page.choose(...folders.map((folder) => ({ name, text, folder })), { name: 'other.lic' });
  await page.shows('Term unknown');
  await expect.poll(() => page.texts('.license.done').length).toBe(1);
  document.querySelector<HTMLElement>('.license.done')?.click();
  const paths = folders.map((folder) => `${folder}/${name}`);
  await expect.poll(() => page.texts('.details .path bdi')).toEqual(paths);
  expect(page.texts('.details .path button')).toEqual(paths.map((path) => `Copy the path ${path}`));
});

it('a single license is a row that is open, without headings and filters', async () => {
  const page = await openDomPage();
  page.choose(...FLEET.slice(0, 1));
  await expect.poll(() => page.texts('.details').length).toBe(1);
  expect(page.texts('.heading, .filters *')).toEqual([]);
  document.querySelector<HTMLElement>('.license')?.click();
  await expect.poll(() => page.texts('.details')).toEqual([]);
});

it('a row has one stop for the Tab key, and a link skips the list', async () => {
  const page = await openDomPage(answerAbout, LIMIT);
  page.choose(...FLEET);
  await page.press('Read the 5 most urgent');
  await expect.poll(() => page.texts('.license.done').length).toBe(5);
  const rows = [...document.querySelectorAll('.license')];
  const stops = rows.map((row) => row.querySelectorAll('button:not([tabindex="-1"]), a').length);
  expect(new Set(stops)).toEqual(new Set([1]));
  expect(document.querySelector('.skip')?.getAttribute('href')).toBe('#after-list');
  expect(document.getElementById('after-list')?.tabIndex).toBe(-1);
});

it('of a file that is given again with other bytes the older one says so', async () => {
  const page = await openDomPage();
  for (const { text } of FLEET.slice(0, 2)) page.choose({ name: 'a.lic', folder: 'srv', text });
  await expect.poll(() => page.texts('.license').length).toBe(2);
  expect(page.texts('.column-product .mark')).toEqual(['Previous copy']);
});

it('the drop overlay goes when the drag has ended elsewhere', async () => {
  const page = await openDomPage();
  const drag = () => {
    const event = new Event('dragover', { bubbles: true, cancelable: true });
    document.body.dispatchEvent(Object.assign(event, { dataTransfer: { types: ['Files'] } }));
    return page.text();
  };
  await expect.poll(drag).toContain('Drop the files to add them');
  await expect.poll(page.text).not.toContain('Drop the files to add them');
});

it('the page changes its language without losing anything, and says known errors in it', async () => {
  const page = await openDomPage((text) => (text === 'bad' ? DAMAGED_ANSWER : answerAbout(text)));
  page.choose({ name: 'bad.lic', text: `${PERMIT}bad` }, ...FLEET.slice(0, 1));
  await page.shows('1 file could not be read.');
  await page.press('Show');
  await expect.poll(() => page.texts('.license')).toHaveLength(1);
  await page.press('Failed 1');
  page.type('#search', '.lic');
  const inTab = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
  const [link] = document.querySelectorAll('nav a');
  link?.dispatchEvent(inTab);
  expect({ isTaken: inTab.defaultPrevented, lang: document.documentElement.lang }).toEqual({
    isTaken: false,
    lang: '',
  });
  await page.press('Русский');
  await expect.poll(() => document.title).toBe('License decoder: просмотр лицензий 1С');
  expect(document.documentElement.lang).toBe('ru');
  expect(location.search).toBe('?lang=ru');
  await page.shows('1 лицензия и ещё 1 файл');
  const [message] = document.querySelectorAll('.license .problem');
  expect(message).toMatchObject({ lang: 'ru' });
  expect(message?.textContent).toBe('Повреждён, не от 1С или слишком новый для ring');
});

it('markup in names and licenses is text', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  const page = await openDomPage();
  const permit = {
    pin: '481207935660142',
    customer: { company: markup },
    product: { description: '<b>x</b>' },
  };
  const text = `${Buffer.from(JSON.stringify(permit)).toString('base64')}\nСрок действия: ${markup}\n`;
  page.choose({ name: `${markup}.lic`, text });
  await page.shows('481-207-935-660-142');
  expect(page.text()).toContain(markup);
  for (const part of ['Raw ring output', 'Reactivate']) await page.press(part);
  expect(page.texts('img:not([src="icon.svg"]), script, b, style, svg:not(.icon)')).toEqual([]);
});
