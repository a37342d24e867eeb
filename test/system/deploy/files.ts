import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { configSchema, loadConfig, type Config } from '../../../src/config/settings.js';

export const ROOT = resolve(import.meta.dirname, '../../..');
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The settings as the service reads them. Fails for names that the service does not know. */
export function settings(env: Record<string, string>): Config {
  expect(Object.keys(configSchema.shape)).toEqual(expect.arrayContaining(Object.keys(env)));
  return loadConfig({ ...env, JWT_SECRET: 'x'.repeat(32) });
}
