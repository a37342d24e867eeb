import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { StructuredLicense } from '../../../../src/license/schema.js';
import {
  activationCommand,
  NEW_PIN,
  newPinProblem,
  ownerData,
  shellsFor,
  type OwnerKey,
  type Shell,
} from '../../../../src/web/page/license/activation.js';
import { combine, type Known } from '../../../../src/web/page/model/facts.js';
import { decoded } from '../model/licenses.js';

const NOBODY = decoded({ previousPin: '999888777666555' });

function licenseOf(owner: Partial<StructuredLicense['owner']>): Known {
  const { structured } = NOBODY;
  const answer = { ...NOBODY, structured: { ...structured, owner: { ...structured.owner, ...owner } } };
  return combine({ answer, clearText: null });
}

const OPTION: Record<OwnerKey, string> = {
  firstName: '--first-name',
  middleName: '--middle-name',
  lastName: '--last-name',
  email: '--email',
  company: '--company',
  country: '--country',
  postalCode: '--zip-code',
  region: '--region',
  district: '--district',
  city: '--town',
  street: '--street',
  house: '--house',
  building: '--building',
  apartment: '--apartment',
};
/** The line for a license, with the values that the user has to fill in. */
function commandFor(license: Known, shell: Shell, language: 'en' | 'ru') {
  const { parts, missing } = activationCommand(license, shell, language);
  return { line: parts.map(({ text }) => text).join(''), missing };
}
const KEYS = Object.keys(OPTION) as OwnerKey[];

const directory = mkdtempSync(join(tmpdir(), 'activation-'));
afterAll(() => rmSync(directory, { recursive: true }));
// A stand-in for ring that prints its arguments.
writeFileSync(join(directory, 'ring'), `#!/bin/sh\nprintf '%s\\0' "$@"\n`);
chmodSync(join(directory, 'ring'), 0o755);

/** What ring gets when someone types the line. */
function argumentsInBash(command: string): string[] {
  const { stdout, stderr } = spawnSync('bash', ['--norc'], {
    // As in a terminal, `!` stands for the history.
    input: `set -o history -o histexpand\n${command}\n`,
    env: { PATH: `${directory}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8', HOME: directory },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\0').slice(0, -1);
}

it('gives the data in the order of ring, without what is empty', () => {
  const license = licenseOf({
    apartment: '14',
    company: 'ООО "Ромашка"',
    city: '',
    street: ' ',
    house: null,
  });
  expect(ownerData(license)).toEqual([
    { key: 'company', value: 'ООО "Ромашка"' },
    { key: 'apartment', value: '14' },
  ]);
});

it('is one line that can be read', () => {
  const license = licenseOf({ company: 'ООО "Ромашка"', postalCode: '300022' });
  expect(commandFor(license, 'bash', 'ru').line).toBe(
    `ring license activate --company 'ООО "Ромашка"' --zip-code '300022' --serial '800123456' ` +
      `--pin 'НОВЫЙ-ПИН' --previous-pin '332588056123456' --validate`,
  );
  expect(commandFor(licenseOf({ company: 'a; b, c=d' }), 'cmd', 'en').line).toBe(
    'ring license activate --company "a; b, c=d" --serial "800123456" --pin "NEW-PIN" ' +
      '--previous-pin "332588056123456" --validate',
  );
});

it.each([
  ['Microsoft Windows Server 2019', null, 'cmd'],
  ['Linux', null, 'bash'],
  [undefined, 'BUH-PC, 8157Mb RAM, Майкрософт Windows 10', 'cmd'],
  [undefined, null, 'bash'],
])('has first the command for the computer of the license: %s, %s', (system, boundTo, first) => {
  const { structured } = NOBODY;
  const license = [{ name: 'Any', values: system === undefined ? [] : [system] }];
  const hardware = { license, current: [], differences: [] };
  const answer = { ...NOBODY, structured: { ...structured, hardware } };
  expect(shellsFor({ answer, boundTo })[0]).toBe(first);
});

it.each([
  ['8100123456', '8100123456'],
  ['800123456G0', '800123456'],
  ['800123456Г0', '800123456'],
  ['800123456g0-A1', '800123456'],
])('makes the serial number of %s %s', (registrationNumber, serial) => {
  expect(commandFor({ ...licenseOf({}), registrationNumber }, 'cmd', 'en').line).toContain(
    ` --serial "${serial}" --pin `,
  );
});

// prettier-ignore
const SPECIAL = [
  `'`, '"', ' ', '$', '`', '\\', '!', '!!', '\n', '\r', '\t', '\u0003', '\u0004', '\u001b', '\u001b[201~',
  '\u007f', '\u009b', '\u202e', '\u2028', '\ue000', '#', '~', '*', '?', '{a,b}', '$(reboot)', '&', ';', '|', '<',
  '>', '(', ')', '=', '%', '^', "\\'", '$\'', 'Ж', '№', '«', '👍', 'ff', '0',
];

/** Any text of an owner, with a liking for what shells and terminals obey. */
const value = fc
  .oneof(
    fc.array(fc.constantFrom(...SPECIAL), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', minLength: 1 }),
  )
  .filter((text) => text.trim() !== '' && !/…$|^-./u.test(text));

const owners = fc.dictionary(fc.constantFrom(...KEYS), value);

it('reaches ring unchanged through bash, whatever the owner is called, or is left to the user', () => {
  fc.assert(
    fc.property(owners, (owner) => {
      const { line, missing } = commandFor(licenseOf(owner), 'bash', 'ru');
      // A terminal may obey them.
      const isUnsafe = (key: OwnerKey) => /\p{C}|\p{Zl}|\p{Zp}/u.test(owner[key] ?? '');
      expect(line).not.toMatch(/\p{C}|\p{Zl}|\p{Zp}/u);
      expect(missing).toEqual(KEYS.filter(isUnsafe));
      expect(argumentsInBash(line)).toEqual([
        'license',
        'activate',
        ...KEYS.flatMap((key) => (key in owner ? [OPTION[key], isUnsafe(key) ? 'ВПИШИТЕ' : owner[key]] : [])),
        ...['--serial', '800123456', '--pin', 'НОВЫЙ-ПИН', '--previous-pin', '332588056123456', '--validate'],
      ]);
    }),
  );
});

it.each([
  ['an odd number of quotes', '17" мониторы'],
  ['a backslash before a quote', 'A\\" B"'],
  ['a backslash after a quote', 'A "\\B"'],
  ['parentheses beside quotes', 'ООО "Ромашка" (Тула)'],
  ['a percent sign', '%PATH%'],
  ['an exclamation mark', 'Ура!'],
  ['an ampersand', 'A & B'],
  ['a pipe', 'A|B'],
  ['an angle bracket', '<A>'],
  ['a caret', 'A^B'],
  ['an escape character', 'A\u001bB'],
  ['a backslash at the end', 'C:\\'],
  ['a full-width quote, which java.exe sees as a quote', 'A＂B'],
])('leaves %s out of the command for cmd.exe, and says so', (_what, company) => {
  const { line, missing } = commandFor(licenseOf({ company, city: 'Тула г' }), 'cmd', 'en');
  expect(line).toMatch(/^ring license activate --company "FILL-IN" --town "Тула г" --serial /);
  expect(missing).toEqual(['company']);
});

const QUOTED = ['C:\\a', "O'Brien", '«Ромашка», №1', '-', 'a;b,c=d', '(a) {b} [c]', 'ул. 8-го Марта'];
it.each(QUOTED)('puts %j between quotes for cmd.exe', (company) =>
  expect(commandFor(licenseOf({ company }), 'cmd', 'en').line).toContain(` --company "${company}" --`),
);

// java.exe takes \" between quotes for a quote (test vectors of cmdtoargs.c in OpenJDK).
it.each([
  ['ООО "Ромашка"', String.raw`"ООО \"Ромашка\""`],
  ['"А" и "Б"', String.raw`"\"А\" и \"Б\""`],
  ['ООО "C:\\1С x"', String.raw`"ООО \"C:\1С x\""`],
])('escapes the quotes of %j for java.exe', (company, quoted) => {
  expect(commandFor(licenseOf({ company }), 'cmd', 'ru').line).toContain(` --company ${quoted} --serial`);
});

it.each([
  ['was cut off', 'Общество с ограниченной…'],
  ['looks like an option', '--path'],
  ['holds a line break', 'A\nB'],
])('leaves out a value that %s, for either shell', (_what, company) => {
  for (const shell of ['bash', 'cmd'] as const) {
    expect(commandFor(licenseOf({ company }), shell, 'en').missing).toEqual(['company']);
  }
});

it.each([
  ['', undefined],
  ['111-222-333-444-555', undefined],
  ['1112 2233 3444 5555', undefined],
  ['123', 'newPinLength'],
  ['11122233344455566', 'newPinLength'],
  ['no digits', 'newPinLength'],
  ['999 222 333 444 555', 'newPinIsOwn'],
])('what was entered as a new PIN code, %j, has the problem %s', (entered, problem) => {
  expect(newPinProblem(entered, '999-222-333-444-555')).toBe(problem);
});

it.each(['123', '999222333444555'])('the command waits for another PIN code than %s', (entered) => {
  const license = { customer: null, registrationNumber: null, pin: '999-222-333-444-555' };
  const { parts } = activationCommand(license, 'bash', 'en', entered);
  expect(parts.filter(({ isPlaceholder }) => isPlaceholder)).toEqual([
    { text: NEW_PIN.en, isPlaceholder: true },
  ]);
});
