import { expect, it } from 'vitest';
import { readDebugRecords } from '../../../../src/ring/output/debug-records.js';
import { splitLogRecords } from '../../../../src/ring/output/log-records.js';
import { transcript } from '../../../support/fake-ring.js';

const PIN = '332588056123456';
const OTHER_PIN = '111111111111111';
const DEBUG_RUN = transcript('validate-debug-ru.txt');
const read = (output: string, pin = PIN) => readDebugRecords(splitLogRecords(output).records, pin);

it('both hardware configurations are cut out of the records, with CRLF too', () => {
  const details = read(DEBUG_RUN);
  expect(details.licenseHardware).toMatch(/^OS name : Windows Server 2016\n[^]*size 480103981056$/);
  expect(details.machineHardware).toMatch(/^OS name : Linux\n[^]*02:42:AC:11:00:02$/);
  expect(read(DEBUG_RUN.replaceAll('\n', '\r\n'))).toEqual(details);
});

it('of several records of licenses, the one with the PIN is read', () => {
  const record = (name: string, pin: string, previous: string) =>
    `[DEBUG ] x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \nComputer name : ${name}\nCustomer info : \nИмя : Иван\npin : ${pin}\nprevious pin : ${previous}\n`;
  const { licenseHardware } = read(record('OTHER', OTHER_PIN, PIN) + record('OWN', PIN, OTHER_PIN) + 'text');
  expect(licenseHardware).toBe('Computer name : OWN');
});

it.each([
  ['332-588-056-123-456', PIN],
  ['12-34', '12-34'],
  ['1234', '12-34'],
  ['ABC', 'ABC'],
])('the record with the PIN code %s is that of the license %s', (printed, pin) => {
  const output = DEBUG_RUN.replace(`pin : ${PIN}`, `pin : ${printed}`);
  expect(read(output, pin)).toEqual(read(DEBUG_RUN));
});

it.each<[string, string, string]>([
  ['is of another PIN', DEBUG_RUN, OTHER_PIN],
  ['has a PIN that only begins with it', DEBUG_RUN, PIN.slice(0, -1)],
  ['has it as the previous PIN', DEBUG_RUN.replace('previous pin : ', `$&${OTHER_PIN}`), OTHER_PIN],
  ['is of another request', DEBUG_RUN.replace('getLicensePermitFromBase64', 'getAnother'), PIN],
  ['is not there', transcript('validate-ok-ru.txt'), PIN],
])('a license is not taken when its record %s', (_title, output, pin) => {
  expect(read(output, pin).licenseHardware).toBeUndefined();
});

it.each<[title: string, line: string, previous: string | null | undefined]>([
  ['15 digits', 'previous pin : 332588056654321', '332588056654321'],
  ['16 digits', 'previous pin : 9793552411773203', '9793552411773203'],
  ['hyphens', 'previous pin : 332-588-056-654-321', '332588056654321'],
  ['17 digits', 'previous pin : 33258805665432100', null],
  ['blanks at the end', 'previous pin : 332588056654321 \t', '332588056654321'],
  ['nothing', 'previous pin : ', null],
  ['nothing, not even a blank', 'previous pin :', null],
  ['a word', 'previous pin : none', null],
  ['no such line', '', undefined],
])('the previous PIN is read from a line with %s', (_title, line, previous) => {
  for (const lineEnd of ['\n', '\r\n']) {
    const output = DEBUG_RUN.replace('previous pin : ', line).replaceAll('\n', lineEnd);
    expect(read(output, PIN).previousPin).toBe(previous);
  }
});

it('the previous PIN is that of the license, whatever its customer and other licenses say', () => {
  const own = DEBUG_RUN.replace('Имя : Иван', `Имя : Иван\nprevious pin : ${OTHER_PIN}`);
  const other = DEBUG_RUN.replace(PIN, OTHER_PIN).replace('previous pin : ', `previous pin : ${PIN}`);
  expect(read(other + own, PIN).previousPin).toBeNull();
  expect(read(own + other, OTHER_PIN).previousPin).toBe(PIN);
  expect(read(transcript('validate-ok-ru.txt'), PIN).previousPin).toBeUndefined();
});
