import { it } from 'vitest';
import type { VisitFile } from '../support/visit/visit.js';
import { DAMAGED, FIRST, SECOND, describeVisits } from '../support/visit/visits.js';

const ARCHIVE: VisitFile = { name: 'licenses.zip', text: 'PK' };
const README: VisitFile = { name: 'readme.txt', text: 'Read me' };
const PDF: VisitFile = { name: 'license.lic', text: '%PDF-1.7\n' };
const NOTE: VisitFile = { name: 'note.lic', text: 'The PIN codes are in the safe.\n' };

describeVisits(({ compare, language, openPage }) => {
  it('with one file', async () => {
    const visit = await openPage();
    await visit.step('One file is chosen; ring reads it', () => visit.choose([FIRST]));
    await visit.step('ring has read it', () => visit.answer(FIRST));
    await compare(visit, 'one-file');
  });

  it('with three files', async () => {
    const files = [FIRST, SECOND, DAMAGED];
    const visit = await openPage();
    await visit.step('Three files are chosen; ring reads the first', () => visit.choose(files));
    await visit.step('ring has read one', () => visit.answerNext(files));
    await visit.step('ring has read two', () => visit.answerNext(files));
    await visit.step('ring has read all', () => visit.answerNext(files));
    await compare(visit, 'three-files');
  });

  it('with files that are no licenses', async () => {
    const files = [FIRST, PDF, NOTE, DAMAGED];
    const visit = await openPage();
    await visit.step('An archive and a text are chosen', () => visit.choose([ARCHIVE, README]));
    await visit.step('A license, a PDF, a text and a damaged license are chosen; ring reads one', () =>
      visit.choose([...files, README]),
    );
    await visit.step('ring has read all that it was asked for', () => visit.answerAll(files));
    await visit.step('The other language is chosen', () =>
      visit.page.getByRole('link', { name: language === 'ru' ? 'English' : 'Русский' }).click(),
    );
    await compare(visit, 'no-licenses');
  });
});
