import { it } from 'vitest';
import { FILES, describeVisits } from '../support/visit/visits.js';

describeVisits(({ compare, openPage }) => {
  it('with twelve files at a limit of three', async () => {
    const visit = await openPage();
    await visit.step('Twelve files are chosen', () => visit.choose(FILES));
    await visit.step('"Read the 3 most urgent" is pressed; ring reads the first', () =>
      visit.press('readUrgent', { count: 3 }),
    );
    await visit.step('ring has read one', () => visit.answerNext(FILES));
    await visit.step('ring has read two', () => visit.answerNext(FILES));
    await visit.step('ring has read all three', () => visit.answerNext(FILES));
    await visit.step('The limit is renewed', () => visit.wait(60 * 60 * 1000));
    await visit.step('"Read the 3 most urgent" is pressed again; ring reads the fourth', () =>
      visit.press('readUrgent', { count: 3 }),
    );
    await visit.step('"Cancel" is pressed', () => visit.press('cancelReading'));
    await compare(visit, 'twelve-files');
  });
});
