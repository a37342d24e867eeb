import { expect, it } from 'vitest';
import type { Tool } from '../../../src/ring/installation/installation.js';
import type { PollResult } from '../../../src/ring/installation/poll-result.js';
import { RingError } from '../../../src/ring/ring-error.js';
import { pollLog } from '../../../src/status/poll-log.js';
import { recordedLog } from '../../support/recorded-log.js';

const NOT_READY = expect.stringMatching(/^not ready to decode/) as string;
const NO_ANSWER = expect.stringMatching(/^a poll got no answer/) as string;

const good: Tool = {
  version: { text: '17.0.15', numbers: [17, 0] },
  isSupported: true,
  path: '/bin/x',
  problem: undefined,
  build: undefined,
};
const module = { name: 'license', problem: undefined };
const fine: PollResult = { jre: good, ring: good, module, jvmOptions: [], storageProblem: undefined };
const tooOld = {
  ...fine,
  jre: { ...good, isSupported: false, problem: new RingError('not_started', 'too old') },
};
const silent = { ...fine, storageProblem: '/work: ENOSPC' };

/** A log of polls, and the lines in it. */
function logOfPolls() {
  const { log, lines } = recordedLog();
  return { onPoll: pollLog(log, 'ring'), lines };
}

it('what polls find is logged when it changes', () => {
  const { onPoll, lines } = logOfPolls();
  for (const found of [tooOld, tooOld, fine, fine]) onPoll(found, found);
  expect(lines).toMatchObject([
    { level: 40, msg: NOT_READY, jre: { problem: 'too old' } },
    { level: 30, msg: 'ready to decode' },
  ]);
});

it('polls that get no answer are logged once in a row, and again when they count', () => {
  const { onPoll, lines } = logOfPolls();
  for (const found of [fine, silent, silent, fine, silent]) onPoll(fine, found);
  onPoll(silent, silent);

  const storage = { problem: '/work: ENOSPC' };
  expect(lines).toMatchObject([
    { msg: 'ready to decode', storage: {} },
    { level: 40, msg: NO_ANSWER, storage },
    { level: 40, msg: NO_ANSWER, storage },
    { level: 40, msg: NOT_READY, storage },
  ]);
});
