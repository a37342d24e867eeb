import { it } from 'vitest';
import { DAMAGED, FILES, describeVisits } from '../support/visit/visits.js';

const HOUR_S = 3600;

describeVisits(({ compare, openPage }) => {
  it('with six files, one of them damaged, and a token', async () => {
    const files = [...FILES.slice(0, 5), DAMAGED];
    const visit = await openPage();
    await visit.step('A token is entered', () => visit.enterToken(HOUR_S));
    await visit.step('Six files are chosen; ring reads the first', () => visit.choose(files));
    await visit.step('ring has read one', () => visit.answerNext(files));
    await visit.step('ring has read all', () => visit.answerAll(files));
    await compare(visit, 'token');
  });

  it('with eight files and a token that expires half-way', async () => {
    const files = FILES.slice(0, 8);
    const visit = await openPage();
    await visit.step('A token is entered', () => visit.enterToken(60));
    await visit.step('Eight files are chosen; ring reads the first', () => visit.choose(files));
    await visit.step('ring has read one', () => visit.answerNext(files));
    await visit.step('The token expires, and ring has read the next', async () => {
      await visit.wait(60 * 1000);
      await visit.answerNext(files);
    });
    await visit.step('ring has read all that it was asked for', () => visit.answerAll(files));
    await compare(visit, 'expired-token');
  });
});
