import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT } from '../../support/project.js';

const scripts = globSync(['{docs,scripts,test}/**/*.sh', '.ci/{run,without-registry}'], { cwd: ROOT });

it.each(scripts)('shellcheck finds no fault in %s', { tags: 'shellcheck' }, (script) => {
  const { stdout } = spawnSync('shellcheck', ['--severity=warning', script], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout).toBe('');
});
