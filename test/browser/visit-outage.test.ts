import { it } from 'vitest';
import { FIRST, SECOND, THIRD, describeVisits } from '../support/visit/visits.js';

describeVisits(({ compare, openPage }) => {
  it('with a slow ring', async () => {
    const files = [FIRST, SECOND];
    const visit = await openPage();
    await visit.step('Two files are chosen; ring reads the first', () => visit.choose(files));
    await visit.step('Forty seconds later ring still reads it', () => visit.wait(40 * 1000));
    await visit.step('ring has read one', () => visit.answerNext(files));
    await visit.step('ring has read both', () => visit.answerNext(files));
    await compare(visit, 'slow-ring');
  });

  it('with an outage in between', async () => {
    const files = [FIRST, SECOND, THIRD];
    const visit = await openPage();
    await visit.step('Three files are chosen; ring reads the first', () => visit.choose(files));
    await visit.step('ring has read one', () => visit.answerNext(files));
    await visit.step('The service ends', () => visit.killService());
    await visit.step('Ten seconds later it is still away', () => visit.wait(10 * 1000));
    await visit.step('So it is twenty seconds after that', () => visit.wait(20 * 1000));
    await visit.step('The service is there again; ring reads on', async () => {
      await visit.startService();
      await visit.wait(30 * 1000);
    });
    await visit.step('ring has read all', () => visit.answerAll(files));
    await compare(visit, 'outage');
  });

  it('with a canceled reading during an outage', async () => {
    const files = [FIRST, SECOND, THIRD];
    const visit = await openPage();
    await visit.step('Three files are chosen; ring reads the first', () => visit.choose(files));
    await visit.step('The service ends', () => visit.killService());
    await visit.step('"Cancel" is pressed', () => visit.press('cancelReading'));
    await visit.step('The service is there again', async () => {
      await visit.startService();
      await visit.wait(30 * 1000);
    });
    await compare(visit, 'canceled-outage');
  });
});
