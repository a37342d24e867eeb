import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLicenseModule } from '../../../src/ring/license-module.js';
import { fakeRing, type FakeRing } from '../../support/fake-ring.js';
import { tempDirectory } from '../../support/temp.js';

/** Runs the check with a registry of this text; none when undefined. `JAR` stands for a file that exists. */
async function check(commands: FakeRing, registry?: string) {
  const directory = await tempDirectory();
  const path = join(directory, 'ring-commands.cfg');
  const jar = join(directory, 'license.jar');
  await writeFile(jar, '');
  if (registry !== undefined) await writeFile(path, registry.replaceAll('JAR', jar));
  const env = { PATH: process.env['PATH'], E1C_RING_COMMANDS: path };
  const { state, version, problem } = await findLicenseModule(
    await fakeRing(commands),
    { language: 'ru', env },
    undefined,
  );
  return { state, version, problem: problem?.replace(path, 'REGISTRY') };
}

const fails = (text: string): FakeRing => ({ listNone: `echo '${text}'; exit 1` });
/** What a ring without the module may print. */
const unknownModule = (text: (name: string) => string): FakeRing => ({
  listNone: `echo '${text('license')}'; exit 1`,
  noModule: `echo '${text('no-such-module')}'; exit 1`,
});

const DAMAGED = fails('Ошибка получения списка лицензий. По причине: Файл поврежден.');
const NO_ENTRY = 'REGISTRY has no license module';
const NO_REGISTRY = 'REGISTRY is missing or cannot be read';

it.each<[string, FakeRing, string | undefined, object]>([
  ['names no license, status 0', {}, undefined, { state: 'present' }],
  ['names no license, status 0, whatever the registry says', {}, 'edt: []\n', { state: 'present' }],
  [
    'looks its modules up in that registry',
    { always: 'test -e "$E1C_RING_COMMANDS" || exit 1' },
    'edt: []\n',
    { state: 'present' },
  ],
  [
    'rejects the file, and the registry has the module',
    DAMAGED,
    'edt:\n  - version: "1.2.3"\n    file: "/x.jar"\nlicense:\n\n  - version: "0.15.0"\n    arch: x86_64\n    file: "JAR"\n',
    { state: 'present', version: '0.15.0' },
  ],
  [
    'rejects the file, and the registry has it in another form',
    DAMAGED,
    "'license' : [{version: '0.15.0', arch: x86_64, file: JAR}, {version: 0.16.0, file: /gone.jar}]\r\nedt: []",
    { state: 'present', version: '0.15.0, 0.16.0' },
  ],
  ['rejects the file without a registry', DAMAGED, undefined, { state: 'unknown', problem: NO_REGISTRY }],
  [
    'fails without a text or a registry',
    { listNone: 'exit 1', noModule: 'exit 1' },
    undefined,
    { state: 'unknown' },
  ],
  [
    'rejects everything with the same text, without a registry',
    { ...fails('Ошибка выполнения команды'), noModule: "echo 'Ошибка выполнения команды'; exit 1" },
    undefined,
    { state: 'unknown' },
  ],
  [
    'answers as for a module that does not exist, without a registry',
    unknownModule((name) => `Неизвестная команда "${name}". Доступны: help`),
    undefined,
    { state: 'missing', problem: NO_REGISTRY },
  ],
  [
    'answers alike with another status, without a registry',
    {
      ...unknownModule((name) => `Unknown command ${name}`),
      noModule: 'echo "Unknown command no-such-module"; exit 2',
    },
    undefined,
    { state: 'unknown' },
  ],
  [
    'answers so, but the registry has the module',
    unknownModule((name) => `Unknown command ${name}`),
    'license:\n- version: "0.15.0"\n  file: "JAR"',
    { state: 'present', version: '0.15.0' },
  ],
  [
    'fails, and the registry has other modules',
    DAMAGED,
    'edt:\n- file: "JAR"\n',
    { state: 'missing', problem: NO_ENTRY },
  ],
  [
    'fails, and the registry has an empty list',
    fails(''),
    'license: []\n',
    { state: 'missing', problem: NO_ENTRY },
  ],
  [
    'fails, and the registry only has old modules',
    DAMAGED,
    'license_manager:\n- file: "JAR"\nold_license:\n- file: "JAR"\n',
    { state: 'missing', problem: NO_ENTRY },
  ],
  [
    'fails, and the file of the registry is gone',
    DAMAGED,
    'license:\n- version: "0.15.0"\n  file: "/gone/license.jar"\n',
    {
      state: 'missing',
      version: '0.15.0',
      problem: 'REGISTRY names /gone/license.jar, which cannot be read',
    },
  ],
  [
    'does not get as far as ring',
    { listNone: 'echo "Error: Could not find or load main class X" >&2; exit 1' },
    'edt: []',
    { state: 'unknown', problem: "the JVM found no main class: ring's installation is damaged" },
  ],
  ['is killed', { listNone: 'kill -9 $$' }, 'edt: []', { state: 'unknown', problem: 'killed by SIGKILL' }],
])('a ring that %s', async (_title, commands, registry, expected) => {
  expect(await check(commands, registry)).toMatchObject(expected);
});
