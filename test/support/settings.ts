import { join } from 'node:path';
import type { configSchema } from '../../src/config/settings.js';
import { fakeRing, type FakeRing } from './fake-ring.js';
import { tempDirectory } from './temp.js';

type Name = keyof typeof configSchema.shape;

/** Settings of a service; RING_CMD may also be what a ring made for the test does, a license that decodes by default. */
export interface TestSettings extends Partial<Record<Exclude<Name, 'RING_CMD'>, string>> {
  RING_CMD?: string | FakeRing;
}

/** Settings with free ports, directories of their own and a limit that no test reaches by accident. */
export async function testSettings({ RING_CMD = {}, ...settings }: TestSettings) {
  const directory = await tempDirectory();
  return {
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_MAX: '1000000',
    RING_JVM_TUNING: 'off',
    RING_CMD: typeof RING_CMD === 'string' ? RING_CMD : await fakeRing(RING_CMD),
    UPLOAD_DIR: join(directory, 'uploads'),
    TMP_BASE: join(directory, 'work'),
    ...settings,
  };
}
