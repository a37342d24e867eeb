import { DAMAGED, FILES, testVisit } from '../support/visit/visits.js';

testVisit('token', ['ru'], {
  'A token is entered': (visit) => visit.enterToken(3600),
  'Six files are chosen; ring reads the first': (visit) => visit.choose([...FILES.slice(0, 5), DAMAGED]),
  'ring has read one': (visit) => visit.answerNext(),
  'ring has read all': (visit) => visit.answerAll(),
});

testVisit('expired token', ['ru'], {
  'A token is entered': (visit) => visit.enterToken(60),
  'Eight files are chosen; ring reads the first': (visit) => visit.choose(FILES.slice(0, 8)),
  'ring has read one': (visit) => visit.answerNext(),
  'The token expires, and ring has read the next': async (visit) => {
    await visit.wait(60 * 1000);
    await visit.answerNext();
  },
  'ring has read all that it was asked for': (visit) => visit.answerAll(),
});
