import { expect } from 'vitest';
import { configSchema, loadConfig, type Config } from '../../../src/config/settings.js';

/** Milliseconds that a stop may take besides SHUTDOWN_TIMEOUT_MS: docs/run.md lists its parts. */
const REST_OF_STOP_MS = 7_000;

/** Milliseconds that a stop with these settings may take. */
export const stopMs = ({ SHUTDOWN_TIMEOUT_MS }: Config): number => SHUTDOWN_TIMEOUT_MS + REST_OF_STOP_MS;

/** The settings as the service reads them. Fails for names that the service does not know. */
export function settings(env: Record<string, string>): Config {
  expect(Object.keys(configSchema.shape)).toEqual(expect.arrayContaining(Object.keys(env)));
  return loadConfig({ ...env, JWT_SECRET: 'x'.repeat(32) });
}
