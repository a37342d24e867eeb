import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT } from '../../support/project.js';

const scripts = globSync(['{docs,scripts,test}/**/*.sh', '.ci/run'], { cwd: ROOT });

it.each(scripts)('shellcheck finds no fault in %s', { tags: 'shellcheck' }, (script) => {
  const { stdout } = spawnSync('shellcheck', ['--severity=warning', script], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout).toBe('');
});

it.each(['docker.sh', 'compose.sh', 'systemd.sh'])(
  '%s explains itself, and refuses an argument that it does not know',
  (script) => {
    const run = (...args: string[]) =>
      spawnSync(`docs/deploy/${script}`, args, { cwd: ROOT, encoding: 'utf8' });
    expect(run('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--previous') as string,
    });
    for (const args of [['--nonsense'], ['--previous', 'more']])
      expect(run(...args)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining('--previous') as string,
      });
  },
);

it.each(['docker.sh', 'compose.sh'])('%s says what to install where there is no Docker', (script) => {
  const { status, stderr } = spawnSync('/bin/bash', [`docs/deploy/${script}`], {
    cwd: ROOT,
    env: { PATH: '/nowhere' },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('Docker is missing') as string,
  });
});
