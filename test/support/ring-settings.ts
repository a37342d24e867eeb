import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { RingSettings } from '../../src/ring/environment.js';
import { InstallationMonitor, type MonitorOptions } from '../../src/ring/installation/monitor.js';
import type { PollResult } from '../../src/ring/installation/poll-result.js';
import { fakeJavaHome, fakeRing, type FakeRing } from './fake-ring.js';

/** Settings with which the service finds a ring that does this, and this Java. */
export const ringSettings = async (commands: FakeRing = {}, java?: string) => ({
  command: await fakeRing(commands),
  module: undefined,
  language: 'ru' as const,
  jvmTuning: false,
  env: { PATH: process.env['PATH'], JAVA_HOME: await fakeJavaHome(java) },
});

/** A monitor with these settings until the test has ended, and what its polls have found. */
export function monitorWith(options: RingSettings & Partial<MonitorOptions>) {
  const polls: PollResult[] = [];
  const monitor = new InstallationMonitor({
    ttlSeconds: 600,
    findStorageProblem: () => Promise.resolve(undefined),
    onPoll: (found) => polls.push(found),
    log: pino({ level: 'silent' }),
    ...options,
  });
  onTestFinished(() => monitor.stop());
  return { monitor, polls };
}
