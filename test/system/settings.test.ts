import { expect, it } from 'vitest';
import { fakeRing } from '../support/fake-ring.js';
import { failedStart, spawnService } from '../support/spawned-service.js';

it('bad settings end the start with a line for each, no value and no stack trace', async () => {
  const output = await failedStart({
    PORT: 'x',
    RING_LANG: 'de',
    TRUST_PROXY: 'true',
    REDIS_URL: 'http://user:hunter2@host',
  });
  expect(output.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^PORT: /),
    expect.stringMatching(/^RING_LANG: /),
    expect.stringMatching(/^TRUST_PROXY: must not be "true"/),
    expect.stringMatching(/^REDIS_URL: must begin with redis:\/\//),
  ]);
  expect(output).not.toContain('hunter2');
});

it('a misspelled setting is warned about at the start', async () => {
  const { log } = await spawnService({ RING_CMD: await fakeRing(), RATE_LIMIT: '10' });
  expect(log).toContainEqual(
    expect.objectContaining({ level: 40, name: 'RATE_LIMIT', nearest: 'RATE_LIMIT_MAX' }),
  );
});
