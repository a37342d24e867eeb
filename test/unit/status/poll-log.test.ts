import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Tool } from '../../../src/ring/installation/installation.js';
import { RingError } from '../../../src/ring/ring-error.js';
import { pollLog } from '../../../src/status/poll-log.js';

const good: Tool = {
  version: { text: '17.0.15', numbers: [17, 0] },
  isSupported: true,
  path: '/bin/x',
  problem: undefined,
  build: undefined,
};
const bad = { ...good, isSupported: false, problem: new RingError('not_started', 'too old') };
const rest = {
  ring: good,
  module: { name: 'license', problem: undefined },
  jvmOptions: [],
  storageProblem: undefined,
};

it.each([
  ['while the service is not ready, every ten minutes', bad, 3],
  ['while it is ready, once', good, 1],
])('the same installation is logged %s', (_title, jre, lines) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const log: string[] = [];
  const onPoll = pollLog(pino({}, { write: (line) => log.push(line) }), 'ring');
  const result = { ...rest, jre };
  for (let minute = 0; minute <= 20; minute++) {
    onPoll(result, result);
    vi.advanceTimersByTime(60_000);
  }
  expect(log).toHaveLength(lines);
});

it('polls that get no answer are logged once in a row, and again when they count', () => {
  const log: object[] = [];
  const onPoll = pollLog(pino({}, { write: (line) => log.push(JSON.parse(line) as object) }), 'ring');
  const fine = { ...rest, jre: good };
  const silent = { ...fine, storageProblem: '/work: ENOSPC' };
  const polls = [fine, silent, silent];
  for (const found of [...polls, ...polls]) onPoll(fine, found);
  onPoll(silent, silent);

  const noAnswer = expect.stringMatching(/^a poll got no answer/) as string;
  const notReady = expect.stringMatching(/^not ready to decode/) as string;
  const storage = { problem: '/work: ENOSPC' };
  expect(log).toMatchObject([
    { msg: 'ready to decode', storage: {} },
    { level: 40, msg: noAnswer, storage },
    { level: 40, msg: noAnswer, storage },
    { level: 40, msg: notReady, storage },
  ]);
});
