import { fakeJavaHome, fakeRing, type FakeRing } from './fake-ring.js';

/** Settings with which the service finds a ring that does this, and this Java. */
export const ringSettings = async (commands: FakeRing = {}, java?: string) => ({
  command: await fakeRing(commands),
  module: undefined,
  language: 'ru' as const,
  jvmTuning: false,
  env: { PATH: process.env['PATH'], JAVA_HOME: await fakeJavaHome(java) },
});
