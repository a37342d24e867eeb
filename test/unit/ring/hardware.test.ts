import { expect, it } from 'vitest';
import { licenseHardware, machineHardware } from '../../../src/ring/hardware.js';
import { splitLogRecords } from '../../../src/ring/log-records.js';
import { transcript } from '../../support/fake-ring.js';

const PIN = '332588056123456';
const OTHER_PIN = '111111111111111';
const DEBUG_RUN = transcript('validate-debug-ru.txt');
const recordsOf = (output: string) => splitLogRecords(output).records;

it('both hardware configurations are cut out of the records', () => {
  const records = recordsOf(DEBUG_RUN);
  expect(licenseHardware(records, PIN)).toMatch(/^OS name : Windows Server 2016\n[^]*size 480103981056$/);
  expect(machineHardware(records)).toMatch(/^OS name : Linux\n[^]*02:42:AC:11:00:02$/);
});

it('both are the same with CRLF', () => {
  const [lf, crlf] = [DEBUG_RUN, DEBUG_RUN.replaceAll('\n', '\r\n')].map(recordsOf);
  expect(licenseHardware(crlf ?? [], PIN)).toBe(licenseHardware(lf ?? [], PIN));
  expect(machineHardware(crlf ?? [])).toBe(machineHardware(lf ?? []));
});

it('of several licenses the one with the PIN counts', () => {
  const record = (name: string, pin: string, previous: string) =>
    `[DEBUG ] x.crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \nComputer name : ${name}\nCustomer info : \nИмя : Иван\npin : ${pin}\nprevious pin : ${previous}\n`;
  const records = recordsOf(record('OTHER', OTHER_PIN, PIN) + record('OWN', PIN, OTHER_PIN) + 'text');
  expect(licenseHardware(records, PIN)).toBe('Computer name : OWN');
});

it.each<[string, string, string]>([
  ['is of another PIN', DEBUG_RUN, OTHER_PIN],
  ['has a PIN that only begins with it', DEBUG_RUN, PIN.slice(0, -1)],
  [
    'has it as the previous PIN',
    DEBUG_RUN.replace('previous pin : ', `previous pin : ${OTHER_PIN}`),
    OTHER_PIN,
  ],
  ['is not there', transcript('validate-ok-ru.txt'), PIN],
])('a license is not taken when its record %s', (_title, output, pin) => {
  expect(licenseHardware(recordsOf(output), pin)).toBeUndefined();
});
