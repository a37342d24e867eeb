import { expect, it } from 'vitest';
import { findLicenseModule } from '../../../src/ring/installation/license-module.js';
import { fakeRing, print, type FakeRing } from '../../support/fake-ring.js';

const problem = (reason: string, words: string) => ({
  reason,
  message: expect.stringContaining(words) as string,
});
const NOT_REGISTERED = problem('refused', 'не зарегистрирован');
const SEVERAL = { unversioned: print('launcher-two-versions.txt', 254) };
const NEWEST = { name: 'license@0.15.0' };
const NO_LIST = 'echo \'[ERROR ] Specify version for module "license".\'; exit 254';
const SET_MODULE = problem('refused', 'Set RING_MODULE');
const NO_MODULE = print('launcher-no-module-ru.txt', 254);
const NO_ANSWER = problem('output_limit', 'output limit');
const USABLE = { name: 'license', problem: undefined };

async function checkOf(commands: FakeRing, wanted?: string) {
  const launcher = await fakeRing(commands);
  const ring = { launcher, language: 'ru' as const, env: { PATH: process.env['PATH'] } };
  const check = () => findLicenseModule({ ...ring, timeoutMs: 60_000 }, wanted);
  return { check, launcher };
}

it.each<[string, FakeRing, expected: object, wanted?: string]>([
  ['names no license', {}, USABLE],
  ['rejects the directory in its own words', { listNone: print('list-nodir-ru.txt', 1) }, USABLE],
  ['is killed', { listNone: 'kill -9 $$' }, { problem: problem('crashed', 'SIGKILL') }],
  ['finds no Java', { listNone: 'exit 127' }, { problem: problem('not_started', '127') }],
  ['gives no answer', { listNone: 'exec cat /dev/zero' }, { name: 'license', problem: NO_ANSWER }],
  ['has no such module', { listNone: NO_MODULE }, { name: 'license', problem: NOT_REGISTERED }],
  ['has several versions of it', SEVERAL, { ...NEWEST, problem: undefined }],
  ['refuses the newest', { ...SEVERAL, listNone: NO_MODULE }, { ...NEWEST, problem: NOT_REGISTERED }],
  ['lists its versions in another form', { unversioned: NO_LIST }, { name: 'license', problem: SET_MODULE }],
  [
    'has several, as RING_MODULE says',
    SEVERAL,
    { name: 'license@0.11.0', problem: undefined },
    'license@0.11.0',
  ],
  [
    'has several, and not the one of RING_MODULE',
    {
      unversioned: '',
      always: `case "$*" in license@0.9.9*) ${print('launcher-two-versions.txt', 254)} ;; esac`,
    },
    { name: 'license@0.9.9', problem: problem('refused', 'Available versions') },
    'license@0.9.9',
  ],
])('finds the module of a ring that %s', async (_title, commands, expected, wanted) => {
  const { check } = await checkOf(commands, wanted);
  expect(await check()).toMatchObject(expected);
});

it('looks for the module anew each time', async () => {
  const { check, launcher } = await checkOf({ listNone: NO_MODULE });
  const missing = await check();
  expect(missing.problem).toMatchObject(NOT_REGISTERED);
  await fakeRing({}, launcher);
  const found = await check();
  expect(found).toMatchObject(USABLE);
  await fakeRing({ listNone: NO_MODULE }, launcher);
  const gone = await check();
  expect(gone.problem).toMatchObject(NOT_REGISTERED);
});
