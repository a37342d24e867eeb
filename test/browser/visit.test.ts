import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { Visit, type VisitFile } from '../support/visit/visit.js';

const FILES: VisitFile[] = fleet(12, 2026).map(({ name, text }) => ({ name, text }));
const [FIRST, SECOND, THIRD] = FILES as [VisitFile, VisitFile, VisitFile];
const DAMAGED: VisitFile = { name: 'damaged.lic', text: 'bGljZW5zZQ==\n' };

const ARCHIVE: VisitFile = { name: 'licenses.zip', text: 'PK' };
const README: VisitFile = { name: 'readme.txt', text: 'Read me' };
const PDF: VisitFile = { name: 'license.lic', text: '%PDF-1.7\n' };
const NOTE: VisitFile = { name: 'note.lic', text: 'The PIN codes are in the safe.\n' };

const HOUR_S = 3600;

describe.each(['ru', 'en'] as const)('in %s a visit', { tags: 'chromium' }, (language) => {
  /** Compares what the visitor read with the text in the repository. CONTRIBUTING.md says how to write that anew. */
  const compare = async (visit: Visit, name: string) => {
    const path = join(import.meta.dirname, 'visits', `${name}.${language}.txt`);
    await expect(visit.lines.join('\n')).toMatchFileSnapshot(path);
  };

  const openPage = async () => {
    const visit = await Visit.start(language);
    await visit.step('The page is opened', () => visit.open());
    return visit;
  };

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

  it('with twelve files at a limit of three', async () => {
    const visit = await openPage();
    await visit.step('Twelve files are chosen', () => visit.choose(FILES));
    await visit.step('"Read the 3 most urgent" is pressed; ring reads the first', () =>
      visit.press('readUrgent', { count: 3 }),
    );
    await visit.step('ring has read one', () => visit.answerNext(FILES));
    await visit.step('ring has read two', () => visit.answerNext(FILES));
    await visit.step('ring has read all three', () => visit.answerNext(FILES));
    await visit.step('Twenty minutes later', () => visit.wait(20 * 60 * 1000));
    await visit.step('The limit is renewed', () => visit.wait(40 * 60 * 1000));
    await visit.step('"Read the 3 most urgent" is pressed again; ring reads the fourth', () =>
      visit.press('readUrgent', { count: 3 }),
    );
    await visit.step('"Cancel" is pressed', () => visit.press('cancelReading'));
    await compare(visit, 'twelve-files');
  });

  it('with twelve files, one of them damaged, and a token', async () => {
    const files = [...FILES.slice(0, 11), DAMAGED];
    const visit = await openPage();
    await visit.step('A token is entered', () => visit.enterToken(HOUR_S));
    await visit.step('Twelve files are chosen; ring reads the first', () => visit.choose(files));
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
