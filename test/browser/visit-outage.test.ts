import type { Visit } from '../support/visit/visit.js';
import { FILES, testVisit } from '../support/visit/visits.js';

testVisit('slow ring', ['ru'], {
  'Two files are chosen; ring reads the first': (visit) => visit.choose(FILES.slice(0, 2)),
  'Forty seconds later ring still reads it': (visit) => visit.wait(40 * 1000),
  'ring has read one': (visit) => visit.answerNext(),
  'ring has read both': (visit) => visit.answerNext(),
});

const CHOOSE_THREE = {
  'Three files are chosen; ring reads the first': (visit: Visit) => visit.choose(FILES.slice(0, 3)),
};

async function restartService(visit: Visit): Promise<void> {
  await visit.startService();
  await visit.wait(30 * 1000);
}

testVisit('outage', ['ru'], {
  ...CHOOSE_THREE,
  'ring has read one': (visit) => visit.answerNext(),
  'The service ends': (visit) => visit.killService(),
  'Ten seconds later it is still away': (visit) => visit.wait(10 * 1000),
  'So it is twenty seconds after that': (visit) => visit.wait(20 * 1000),
  'The service is there again; ring reads on': restartService,
  'ring has read all': (visit) => visit.answerAll(),
});

testVisit('canceled outage', ['ru', 'en'], {
  ...CHOOSE_THREE,
  'The service ends': (visit) => visit.killService(),
  '"Cancel" is pressed': (visit) => visit.press('cancelReading'),
  'The service is there again': restartService,
});
