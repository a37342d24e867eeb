import { DAMAGED, FILES, testVisit } from '../support/visit/visits.js';

testVisit('one file', ['ru', 'en'], {
  'One file is chosen; ring reads it': (visit) => visit.choose(FILES.slice(0, 1)),
  'ring has read it': (visit) => visit.answerNext(),
});

testVisit('three files', ['ru', 'en'], {
  'Three files are chosen; ring reads the first': (visit) => visit.choose([...FILES.slice(0, 2), DAMAGED]),
  'ring has read one': (visit) => visit.answerNext(),
  'ring has read two': (visit) => visit.answerNext(),
  'ring has read all': (visit) => visit.answerNext(),
});

const README = { name: 'readme.txt', text: 'Read me' };

testVisit('no licenses', ['ru'], {
  'An archive and a text are chosen': (visit) => visit.choose([{ name: 'licenses.zip', text: 'PK' }, README]),
  'A license, a PDF, a text and a damaged license are chosen; ring reads one': (visit) =>
    visit.choose([
      ...FILES.slice(0, 1),
      { name: 'license.lic', text: '%PDF-1.7\n' },
      { name: 'note.lic', text: 'The PIN codes are in the safe.\n' },
      DAMAGED,
      README,
    ]),
  'ring has read all that it was asked for': (visit) => visit.answerAll(),
  'The other language is chosen': (visit) =>
    visit.page.getByRole('link', { name: /^(?:English|Русский)$/ }).click(),
});
