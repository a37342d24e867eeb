import { expect, it } from 'vitest';
import { configSchema } from '../../../src/config/settings.js';
import { misspelledSettings } from '../../../src/config/misspelled-settings.js';
import { RING_VARIABLES } from '../../../src/ring/environment.js';

const SETTINGS = [...Object.keys(configSchema.shape), ...RING_VARIABLES];

it.each([
  ['RATE_LIMIT', 'RATE_LIMIT_MAX'],
  ['JWT_SECRETS', 'JWT_SECRET'],
  ['jwt_secret', 'JWT_SECRET'],
  ['RING_CONCURENCY', 'RING_CONCURRENCY'],
  ['UPLOADDIR', 'UPLOAD_DIR'],
  ['REDIS_URI', 'REDIS_URL'],
])('%s looks like a misspelled %s', (name, nearest) => {
  expect(misspelledSettings([name], SETTINGS)).toEqual([{ name, nearest }]);
});

it('common variables of others do not look like settings, nor do the settings themselves', () => {
  const common = [
    'LANG',
    'TERM',
    'SHELL',
    'USER',
    'PWD',
    'HOSTNAME',
    'LOGNAME',
    'NODE_ENV',
    'TMPDIR',
    'MAIL',
    'LC_ALL',
  ];
  const kubernetes = ['KUBERNETES_PORT', 'REDIS_PORT', 'REDIS_SERVICE_HOST', 'RING_PORT_80_TCP_ADDR'];
  expect(misspelledSettings([...SETTINGS, ...common, ...kubernetes], SETTINGS)).toEqual([]);
});
