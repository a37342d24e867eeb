import { expect } from 'vitest';
import { configSchema, loadConfig, type Config } from '../../../src/config/settings.js';

/** The settings as the service reads them. Fails for names that the service does not know. */
export function settings(env: Record<string, string>): Config {
  expect(Object.keys(configSchema.shape)).toEqual(expect.arrayContaining(Object.keys(env)));
  return loadConfig({ ...env, JWT_SECRET: 'x'.repeat(32) });
}
