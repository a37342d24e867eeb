import { expect, it } from 'vitest';
import { ringEnvironment } from '../../../src/ring/environment.js';

const ringOpts = (env: NodeJS.ProcessEnv, options: { directory?: string; jvmOptions?: string[] } = {}) =>
  ringEnvironment({ env, language: 'en', ...options })['RING_OPTS'] ?? '';

it('nothing of the service but what ring needs is passed on', () => {
  const secrets = {
    JWT_SECRET: 'x',
    REDIS_URL: 'x',
    NODE_OPTIONS: 'x',
    LANG: 'ru_RU',
    JAVA_TOOL_OPTIONS: 'x',
  };
  const needed = { PATH: '/bin', HOME: '/root', JAVA_HOME: '/jre', E1C_RING_COMMANDS: '/c', TZ: 'UTC' };
  const { RING_OPTS, ...rest } = ringEnvironment({ env: { ...secrets, ...needed }, language: 'ru' });
  expect(rest).toEqual({ ...needed, LC_ALL: 'C.UTF-8' });
  expect(RING_OPTS).toContain('-Duser.language=ru');
});

it.each(['file', 'sun.stdout', 'sun.stderr', 'stdout', 'stderr'])('%s.encoding is UTF-8', (name) => {
  expect(ringOpts({}).split(' ')).toContain(`-D${name}.encoding=UTF-8`);
});

it('without options of the operator there are only ours', () =>
  expect(ringOpts({}, { directory: '/tmp/x' })).toMatch(/ -Duser\.language=en -Djava\.io\.tmpdir=\/tmp\/x$/));

it('the options of the operator come last, so that they win', () => {
  const all = ringOpts({ RING_OPTS: '-Xmx64m -Da=b' }, { directory: '/tmp/x', jvmOptions: ['-Xmx32m'] });
  expect(all).toMatch(/ -Duser\.language=en -Xmx32m -Djava\.io\.tmpdir=\/tmp\/x -Xmx64m -Da=b$/);
});

it('a temporary directory with a blank, at which the launcher would split, is left out', () => {
  expect(ringOpts({}, { directory: '/tmp/a b' })).not.toContain('tmpdir');
});
