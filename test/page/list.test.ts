import { expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { exportList } from '../../src/web/page/excel/export-list.js';
import { fingerprintOf } from '../../src/web/page/model/read-file.js';
import { openDomPage } from '../support/dom-page.js';
import { answerAbout, DAMAGED_ANSWER } from '../support/held-service.js';
import { decoded, knownAs, viewOf } from '../unit/web/model/licenses.js';

const FLEET = fleet(40);
const LIMIT = 5;

it('a list longer than the limit is shown at once, and read from its top', async () => {
  const page = await openDomPage(answerAbout, LIMIT);
  page.choose(...FLEET);
  await page.shows('PIN code and owner not read yet: 40 files. Without a token the service reads 5 an hour.');
  expect(page.service.decodes).toEqual([]);
  await page.press(/^No term or users/);
  await expect.poll(() => page.column('product')).toContain('old file: its term is known after reading');
  await page.press('Read the 1 shown');
  await page.press(/^All 40/);
  await page.press('Read the 4 most urgent');
  await page.shows('5 of 40 read');
  expect(page.service.decodes[0]).toBe(FLEET[24]?.text);
  const read = page.column('pin').flatMap((pin, row) => (/\d/.test(pin) ? [row] : []));
  expect(read.slice(0, 4)).toEqual([0, 1, 2, 3]);
});

it('a list is searched and filtered, and its filters and sums follow', async () => {
  const page = await openDomPage(answerAbout, LIMIT);
  page.choose(...FLEET);
  await page.shows('40 licenses');
  page.type('#search', 'buh-pc-003');
  await page.shows('Found: 1 of 40');
  expect(page.column('computer')).toEqual(['BUH-PC-003']);
  expect(page.texts('.chip')).toEqual(expect.arrayContaining(['All 1', 'Client 1', 'Server 0']));
  await page.shows('50 users in valid client licenses');
  page.type('#search', 'nothing like it');
  await page.shows('Nothing matches.');
  await page.shows('Owners known: 0 of 40');
  await page.press('Show all');
  await page.press(/^Server/);
  await expect.poll(() => [...new Set(page.column('product'))]).toEqual(['Лицензия на сервер (x86-64)']);
  await page.press(/^Soon/);
  const soon = page.column('state').length;
  page.type('.horizon select', '180', 'change');
  await expect.poll(() => page.column('state').length).toBeGreaterThan(soon);
  await page.press(/^Expired/);
  await expect.poll(() => new Set(page.column('state'))).toEqual(new Set(['expired']));
});

it('what is removed or updated comes back', async () => {
  const page = await openDomPage(() => DAMAGED_ANSWER);
  const file = (name: string, text = name) => ({ name, folder: 'srv', text });
  const expectFiles = (...names: string[]) =>
    expect.poll(() => page.column('file')).toEqual(names.map((name) => `srv/${name}.lic`));
  page.choose(file('a.lic'), file('b.lic'), file('c.lic'));
  await page.shows(/Failed: .\.lic, .\.lic, .\.lic\./);
  page.type('#search', 'srv/a');
  await page.pressMore('Remove the 1 shown');
  await page.press('Show all');
  await expectFiles('b', 'c');
  await page.press('Undo');
  await expectFiles('a', 'b', 'c');
  await page.pressMore('Clear the list');
  await expectFiles();
  await page.press('Undo');
  await expectFiles('a', 'b', 'c');
  page.choose(file('a.lic', 'other'), file('b.lic'), file('c.lic'));
  await page.shows('Updated: 1. Unchanged: 2.');
  await expect.poll(() => page.service.decodes).toEqual(['a.lic', 'b.lic', 'c.lic', 'other']);
  await page.press('Undo');
  await expect.poll(() => page.texts('.list-notice p')).toEqual([]);
  await expectFiles('a', 'b', 'c');
});

it('a sheet is a list by itself, is compared with files, and says what is wrong with it', async () => {
  const page = await openDomPage(answerAbout, 0);
  const known = { validUntil: '2039-12-31', product: 'Platform' };
  const view = viewOf(
    ['a.lic', 'b.lic', 'c.lic'].map((path) => knownAs(`srv/${path}`, known)),
    '2026-10-01',
  );
  const sheet = {
    name: 'all.xlsx',
    text: new Uint8Array(await (await exportList(view, false)).content.arrayBuffer()),
  };
  page.choose({ name: 'readme.txt' });
  await page.shows('readme.txt: not a .lic file.');
  page.choose(sheet, { name: 'old.xls' }, { name: 'readme.txt' }, { name: 'backup.ZIP' });
  await page.shows('backup.ZIP: this is an archive, unpack it.');
  await page.shows('all.xlsx: not read, because only the last one of several sheets counts.');
  await page.shows('old.xls: a sheet of another format. Save it as .xlsx');
  page.choose({ name: 'old.xls' });
  const format = 'old.xls: a sheet of another format. Save it as .xlsx and add it again.';
  await expect.poll(() => page.texts('.left-out p')).toEqual([format]);
  page.choose({ name: 'old.xls' }, sheet);
  await page.shows('Sheet of Oct 1, 2026: 3 licenses');
  await page.shows('Add files to see what has changed');
  expect(page.column('file')).toEqual(['srv/a.lic', 'srv/b.lic', 'srv/c.lic']);
  page.choose({ name: 'a.lic', folder: 'srv', text: 'Срок действия: 31.12.2040\n' });
  await page.shows('Found again: 1 of 3 (were all folders added?)');
  await page.shows('Changes: 3');
  await page.press(/^Changes 3/);
  expect(page.column('state')).toEqual(['gone', 'gone', '14.1 years']);
  expect(page.column('product')).toEqual([
    'Platform',
    'Platform',
    'valid until: Dec 31, 2039 → Dec 31, 2040',
  ]);
  expect(page.text()).not.toContain('PIN codes and owners: keep');
  page.type('#search', 'a.lic');
  await page.shows('Found: 1 of 3');
  await page.press(/^All 1/);
  page.type('#search', '.lic');
  await page.shows('Found: 1 of 1');
  page.type('#search', '');
  await page.press('Remove the sheet');
  await expect.poll(() => page.texts('.license-card .path bdi')).toEqual(['srv/a.lic']);
});

it('what was left out is named until it is hidden, the list is cleared or more files come', async () => {
  const page = await openDomPage();
  const said = () => page.texts('.left-out p');
  const documents = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name: `${name}.docx` }));
  page.choose({ name: 'a.lic' }, ...documents, { name: 'a.pdf' });
  await expect
    .poll(said)
    .toEqual([
      'a.docx, b.docx, c.docx and 2 more: not .lic files.',
      'a.pdf: a PDF is not a license file; choose the original .lic file.',
    ]);
  await page.press('Hide');
  await expect.poll(said).toEqual([]);
  page.choose({ name: 'b.lic' }, { name: 'b.txt' });
  await expect.poll(said).toEqual(['b.txt: not a .lic file.']);
  page.choose({ name: 'c.lic' });
  await expect.poll(said).toEqual([]);
  page.choose({ name: 'd.rar' });
  await expect.poll(said).toEqual(['d.rar: this is an archive, unpack it.']);
  page.choose({ name: 'd.rar' }, { name: 'e.txt' });
  await expect
    .poll(said)
    .toEqual([
      'There are no .lic files among them.',
      'd.rar: this is an archive, unpack it.',
      'e.txt: not a .lic file.',
    ]);
  await page.pressMore('Clear the list');
  await expect.poll(said).toEqual([]);
});

it('a sheet of a selection says that what is new cannot be told from it', async () => {
  const page = await openDomPage(answerAbout, 0);
  const rows = ['a.lic', 'b.lic'].map((path) => knownAs(`srv/${path}`, { validUntil: '2039-12-31' }));
  const view = viewOf(rows, '2026-10-01');
  view.search.value = 'a.lic';
  const text = new Uint8Array(await (await exportList(view, false)).content.arrayBuffer());
  page.choose({ name: 'part.xlsx', text });
  await page.shows('Sheet of Oct 1, 2026: 1 license');
  page.choose({ name: 'a.lic', folder: 'srv' }, { name: 'b.lic', folder: 'srv' });
  await page.shows('Found again: 1 of 1');
  await page.shows('Changes: 0');
  await page.shows('It was a part of the list, so nothing is called new');
});

const inFolder = (name: string) => ({ name, folder: 'srv' });

it('few files of the licenses in a sheet raise the question whether all folders were added', async () => {
  const page = await openDomPage(() => new Promise(() => undefined), LIMIT);
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.lic`);
  const rows = names.map((path) => knownAs(`srv/${path}`, { validUntil: '2039-12-31' }));
  const { content } = await exportList(viewOf(rows, '2026-10-01'), false);
  page.choose({ name: 'all.xlsx', text: new Uint8Array(await content.arrayBuffer()) });
  await page.shows('Sheet of Oct 1, 2026: 5 licenses');
  expect(page.text()).not.toContain('were all folders added?');
  page.choose(inFolder('a.lic'), inFolder('b.lic'));
  await page.shows('Found again: 2 of 5 (were all folders added?)');
  page.choose(inFolder('c.lic'), inFolder('f.lic'), inFolder('g.lic'), inFolder('h.lic'));
  await page.shows(/Found again: 3 of 5(?! \()/);
});

it('the progress counts the files that were asked for, in the strip and in the title of the page', async () => {
  const page = await openDomPage(() => new Promise(() => undefined), LIMIT);
  page.choose(inFolder('a.lic'), inFolder('b.lic'));
  await page.shows('Reading 2 of 2, done: 0');
  await expect.poll(() => document.title).toMatch(/^0\/2 /);
  page.choose(inFolder('c.lic'), inFolder('f.lic'), inFolder('g.lic'), inFolder('h.lic'));
  await page.press('Read: c.lic');
  await page.shows('Reading 3 of 6, done: 0');
  page.service.respond = () => DAMAGED_ANSWER;
  await page.press('Actions: a.lic');
  await page.press('Do not read this file');
  await page.shows('Reading 2 of 6, done: 0');
  await page.press('Cancel');
  // The two that were sent may have been counted.
  await page.press('Read the 3 most urgent');
  await page.shows(/Failed: .\.lic, .\.lic, .\.lic\./);
});

it('what a sheet knows of the same bytes is not read again unless someone asks for the rest', async () => {
  const files = FLEET.slice(0, 3);
  const page = await openDomPage(answerAbout, LIMIT);
  page.choose(...files.slice(0, 2));
  await page.shows('2 of 2 read');
  const pins = page.column('pin');
  const { content } = await exportList(page.store.view, false);
  await page.pressMore('Clear the list');
  page.choose({ name: 'all.xlsx', text: new Uint8Array(await content.arrayBuffer()) }, ...files);
  await page.shows('1 of 3 read');
  expect(page.service.decodes).toHaveLength(3);
  expect(page.column('pin')).toEqual(expect.arrayContaining(pins));
  page.type('#search', pins[0] ?? '');
  await page.shows('Found: 1 of 3');
  document.querySelector<HTMLElement>('.license')?.click();
  await page.press('Activate again');
  await page.shows(/Former PIN code: \S+ It is from the sheet of/);
  await page.press('Read 1 of 2 again');
  await page.shows('2 of 3 read');
  expect(page.text()).not.toContain('It is from the sheet');
});

it('the details say why a license was not read, also when the sheet has its PIN code', async () => {
  let isDamaged = false;
  const page = await openDomPage((text) => (isDamaged ? DAMAGED_ANSWER : answerAbout(text)), LIMIT);
  const [file] = FLEET;
  if (!file) expect.unreachable();
  page.choose(file);
  await page.shows('1 of 1 read');
  const { content } = await exportList(page.store.view, false);
  await page.pressMore('Clear the list');
  page.choose({ name: 'all.xlsx', text: new Uint8Array(await content.arrayBuffer()) }, file);
  isDamaged = true;
  await page.press('Read again: 1');
  await page.shows(/Failed: \d+\.lic\./);
  expect(page.texts('.license-card .problem')).toEqual([
    expect.stringMatching(/^Failed: \S+[.]licring could not decode the file: /),
  ]);
});

it('a sheet with PIN codes is not to be passed on, and tells what replaced what', async () => {
  const page = await openDomPage(answerAbout, 0);
  const [pin, nextPin] = ['111-222-333-444-555', '999-222-333-444-555'];
  const next = { pin: nextPin, previousPin: pin.replaceAll('-', '') };
  const fingerprint = (name: string) => fingerprintOf(new TextEncoder().encode(name));
  const known = { 'a.lic': { pin }, 'b.lic': next, 'c.lic': { pin: nextPin, validUntil: '2020-01-01' } };
  const licenses = Object.entries(known).map(([name, facts]) =>
    knownAs(name, { ...facts, fingerprint: fingerprint(name) }),
  );
  const { content } = await exportList(viewOf(licenses, '2026-10-01'), false);
  page.choose({ name: 'all.xlsx', text: new Uint8Array(await content.arrayBuffer()) });
  await page.shows('The sheet has PIN codes and owners: keep it private');
  const open = (file: string) => {
    const row = page.column('file').indexOf(file);
    document.querySelectorAll<HTMLElement>('.license')[row]?.click();
  };
  expect(page.column('state')).toEqual(['term not stated', 'replaced', 'replaced']);
  open('c.lic');
  await expect.poll(() => page.texts('.panel .mark')).toEqual(['same license: b.lic']);
  // Of two licenses each leads to the other.
  open('a.lic');
  await page.press(`replaced by ${nextPin}`);
  await expect.poll(() => page.texts('.panel .mark')).toEqual([`in place of ${pin}`]);
  await expect.poll(() => page.texts('.panel dd')).toContain(pin);
  page.choose({ name: 'b.lic' });
  await page.shows('The sheet has PIN codes and owners: keep it private');
});

it('what a public sheet calls replaced counts no more, as what is gone', async () => {
  const page = await openDomPage(answerAbout, 0);
  const facts = { type: 'клиент', kind: 'client', users: 5, validUntil: '2039-12-31' } as const;
  const [pin, nextPin] = ['111-222-333-444-555', '999-222-333-444-555'];
  const previousPin = pin.replaceAll('-', '');
  const known = { 'a.lic': { pin }, 'b.lic': { pin: nextPin, previousPin }, 'gone.lic': {} };
  const licenses = Object.entries(known).map(([name, pins]) =>
    knownAs(name, { ...facts, ...pins, fingerprint: fingerprintOf(new TextEncoder().encode(name)) }),
  );
  const { content } = await exportList(viewOf(licenses, '2026-10-01'), true);
  const text = new Uint8Array(await content.arrayBuffer());
  page.choose({ name: 'public.xlsx', text }, { name: 'a.lic' }, { name: 'b.lic' });
  await page.shows(/Found again: 2 of 3\s*Changes: 1/);
  expect(page.texts('.chip')).toEqual(expect.arrayContaining(['All 2', 'Client 2', 'Replaced 1']));
  await page.shows('5 users in valid client licenses');
  expect(page.column('state')).toEqual([expect.stringMatching(/^\d.* years$/), 'replaced']);
  await page.press(/^Changes 1/);
  await expect.poll(() => page.column('validUntil')).toEqual(['Dec 31, 2039']);
  document.querySelector<HTMLElement>('.license')?.click();
  await expect.poll(() => page.texts('.panel .headline')).toEqual(['gone Expiry date: Dec 31, 2039']);
});

it('of a license with many copies the details have each path by itself', async () => {
  const page = await openDomPage();
  const folders = Array.from({ length: 102 }, (_, i) => `server ${i}`);
  const { name, text } = FLEET[0] ?? expect.unreachable();
  page.choose(...folders.map((folder) => ({ name, text, folder })), { name: 'other.lic' });
  await page.shows('102 files');
  document.querySelector<HTMLElement>('.license')?.click();
  await expect.poll(() => page.texts('.panel .path').length).toBe(100);
  expect(page.column('file')[0]).toBe(
    `102 files: ${folders
      .slice(0, 3)
      .map((folder) => `${folder}/${name}`)
      .join(', ')}, …`,
  );
  expect(page.texts('.panel .path bdi').at(-1)).toBe(`server 99/${name}`);
  expect(page.texts('.panel .path button').at(-1)).toBe(`Copy the path server 99/${name}`);
  expect(page.texts('.panel dd')).toContainEqual(expect.stringMatching(/… 102 files$/));
});

it('the same path and the same value in one license stand twice', async () => {
  const page = await openDomPage();
  const hardware = {
    license: [{ name: 'Disk', values: ['same', 'same'] }],
    current: null,
  };
  const answer = decoded({});
  page.service.respond = () => ({
    body: { ...answer, structured: { ...answer.structured, hardware } },
  });
  const file = { name: 'a.lic', folder: 'srv' };
  page.choose(file, file);
  await page.shows('1 of 1 read');
  expect(page.texts('.license-card .path bdi')).toEqual(['srv/a.lic', 'srv/a.lic']);
  await page.press('Computer in the license');
  expect(page.texts('.hardware .value')).toEqual(['same', 'same']);
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
  page.choose({ name: 'bad.lic', text: 'bad' }, ...FLEET.slice(0, 1));
  await page.shows('1 of 2 read. Failed: bad.lic.');
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
  await page.shows('Найдено: 2 из 2');
  const [message] = document.querySelectorAll('.license .problem');
  expect(message).toMatchObject({ lang: 'ru' });
  expect(message?.textContent).toMatch(/^ring не смог прочитать/);
});

it('the demo shows an example; markup in names and licenses is text', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  const page = await openDomPage(answerAbout, LIMIT, { status: { ring: { version: '0.19.5-stand-in' } } });
  await page.press('Show an example');
  await page.shows('the service reads 5 an hour');
  await page.pressMore('Clear the list');
  const permit = {
    pin: '481207935660142',
    customer: { company: markup },
    product: { description: '<b>x</b>' },
  };
  const text = `${Buffer.from(JSON.stringify(permit)).toString('base64')}\nСрок действия: ${markup}\n`;
  page.choose({ name: `${markup}.lic`, text });
  await page.shows('1 of 1 read');
  expect(page.text()).toContain(markup);
  for (const part of ['Original output of ring', 'Activate again']) await page.press(part);
  expect(page.texts('img:not([src="icon.svg"]), script, b, style, svg:not(.icon)')).toEqual([]);
});
