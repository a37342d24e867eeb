import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { installationLog } from '../../../src/monitoring/status.js';
import type { Tool } from '../../../src/ring/installation/installation.js';

const good: Tool = {
  version: { text: '17.0.15', numbers: [17, 0] },
  isSupported: true,
  path: '/bin/x',
  problem: undefined,
  build: undefined,
  hasNoAnswer: false,
};
const bad = { ...good, isSupported: false, problem: 'too old' };
const rest = { ring: good, module: { name: 'license', problem: undefined }, jvmOptions: [] };

it.each([
  ['while the service is not ready, every ten minutes', bad, 3],
  ['while it is ready, once', good, 1],
])('the same installation is logged %s', (_title, jre, lines) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const log: string[] = [];
  const onPoll = installationLog(pino({}, { write: (line) => log.push(line) }), 'ring');
  for (let minute = 0; minute <= 20; minute++) {
    onPoll({ ...rest, jre });
    vi.advanceTimersByTime(60_000);
  }
  expect(log).toHaveLength(lines);
});
