import { readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLicenseModule } from '../../../src/ring/installation/license-module.js';
import { fakeRing, print, type FakeRing } from '../../support/fake-ring.js';
import { tempDirectory } from '../../support/temp.js';

const problem = (kind: string, words: string) => ({ kind, words: expect.stringContaining(words) as string });
const NOT_REGISTERED = problem('refused', 'не зарегистрирован');
const HELP = print('launcher-help-modules-ru.txt');
const SEVERAL = { unversioned: print('launcher-two-versions.txt', 254) };
const NEWEST = { name: 'license@0.15.0' };
const release = (version: string) => ({ name: `license@${version}`, version });
const NO_LIST = 'echo \'[ERROR ] Specify version for module "license".\'; exit 254';
const SET_MODULE = problem('refused', 'Set RING_MODULE');
const NO_MODULE = print('launcher-no-module-ru.txt', 254);
const USABLE = { name: 'license', problem: undefined };

async function checkOf(commands: FakeRing, wanted?: string) {
  const launcher = await fakeRing({ ...commands, always: 'echo "$*" >>"$0.runs"' });
  const registry = join(await tempDirectory(), 'ring-commands.cfg');
  await writeFile(registry, '');
  const ring = {
    launcher,
    language: 'ru' as const,
    env: { PATH: process.env['PATH'], E1C_RING_COMMANDS: registry },
    timeoutMs: 60_000,
  };
  const check = (last?: Awaited<ReturnType<typeof findLicenseModule>>) =>
    findLicenseModule(ring, wanted, last);
  const runs = () => readFileSync(`${launcher}.runs`, 'utf8').split('\n').length - 1;
  return { check, ring, registry, runs };
}

it.each<[string, FakeRing, expected: object, wanted?: string]>([
  ['names no license', { help: HELP }, { ...USABLE, version: '0.15.0' }],
  ['tells no version', { help: 'exit 1' }, { ...USABLE, version: undefined }],
  ['rejects the directory in its own words', { listNone: print('list-nodir-ru.txt', 1) }, USABLE],
  ['is killed', { listNone: 'kill -9 $$' }, { problem: problem('not_started', 'SIGKILL') }],
  ['finds no Java', { listNone: 'exit 127' }, { problem: problem('not_started', '127') }],
  ['gives no answer', { listNone: 'exec cat /dev/zero' }, { ...USABLE, identity: '' }],
  ['has no such module', { listNone: NO_MODULE }, { name: 'license', problem: NOT_REGISTERED }],
  ['has several versions of it', SEVERAL, { ...release('0.15.0'), problem: undefined }],
  ['refuses the newest', { ...SEVERAL, listNone: NO_MODULE }, { ...NEWEST, problem: NOT_REGISTERED }],
  ['lists its versions in another form', { unversioned: NO_LIST }, { name: 'license', problem: SET_MODULE }],
  [
    'has several, as RING_MODULE says',
    SEVERAL,
    { ...release('0.11.0'), problem: undefined },
    'license@0.11.0',
  ],
])('of a ring that %s', async (_title, commands, expected, wanted) => {
  const { check } = await checkOf(commands, wanted);
  expect(await check()).toMatchObject(expected);
});

it('is asked for again when the launcher or the registry changes', async () => {
  const { check, ring, registry, runs } = await checkOf({});
  const first = await check();
  expect(runs()).toBe(2);
  expect(await check(first)).toBe(first);
  for (const path of [ring.launcher, registry]) {
    const before = runs();
    await utimes(path, 1e9, 1e9);
    await check(first);
    expect(runs()).toBe(before + 2);
  }
});

it('is asked for at each check while it is missing', async () => {
  const { check, runs } = await checkOf({ listNone: NO_MODULE });
  await check(await check());
  expect(runs()).toBe(2);
});
