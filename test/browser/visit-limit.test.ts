import { FILES, testVisit } from '../support/visit/visits.js';

// The limit is three files an hour.
testVisit('twelve files', ['ru'], {
  'Twelve files are chosen': (visit) => visit.choose(FILES),
  '"Read the 3 most urgent" is pressed; ring reads the first': (visit) =>
    visit.press('readUrgent', { count: 3 }),
  'ring has read one': (visit) => visit.answerNext(),
  'ring has read two': (visit) => visit.answerNext(),
  'ring has read all three': (visit) => visit.answerNext(),
  'The limit is renewed': (visit) => visit.wait(60 * 60 * 1000),
  '"Read the 3 most urgent" is pressed again; ring reads the fourth': (visit) =>
    visit.press('readUrgent', { count: 3 }),
  '"Cancel" is pressed': (visit) => visit.press('cancelReading'),
});
