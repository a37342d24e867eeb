import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { failedStart } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

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

const SERVER = resolve(import.meta.dirname, '../../dist/server.js');

it('a .env that cannot be read ends the start with one line', async () => {
  const cwd = await tempDirectory();
  mkdirSync(join(cwd, '.env'));
  const { stderr, status } = spawnSync(process.execPath, [SERVER], { cwd, encoding: 'utf8' });
  expect([status, stderr.split('\n')]).toEqual([
    1,
    ['The service cannot start:', expect.stringMatching(/^\.env: cannot be read \(EISDIR/), ''],
  ]);
});

it('a Node.js that is too old ends the start', () => {
  const version = '24.18.0';
  const preload = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
  const { stderr, status } = spawnSync(process.execPath, ['--import', preload, SERVER], { encoding: 'utf8' });
  expect(stderr).toMatch(new RegExp(`is needed; this is ${version}.\n$`));
  expect(status).toBe(1);
});
