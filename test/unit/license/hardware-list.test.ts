import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareHardware } from '../../../src/license/hardware-list.js';

it.each([
  ['blank lines', '\n \r\n\t', ''],
  ['a value with colons', 'Disk : a : b:c, size : 5', 'Disk=a : b:c, size : 5'],
  ['an empty value', 'Motherboard : \nBIOS :', 'Motherboard|BIOS'],
  ['a repeated name', 'LAN : a\nRAM : 1\nLAN : b\nLAN : a', 'LAN=a=b=a|RAM=1'],
  ['lines without a name', 'BIOS : American\n  M.: Inc.\n2.0b\nRAM : 1', 'BIOS=American M.: Inc. 2.0b|RAM=1'],
  ['a line that continues an empty value', 'BIOS :\n2.0b', 'BIOS=2.0b'],
  ['a line without a name at the start', 'Linux\n6.1', '=Linux 6.1'],
  ['names that objects have', '__proto__ : x\nconstructor : y', '__proto__=x|constructor=y'],
  ['CRLF', 'A : 1\r\nB : 2\r\n', 'A=1|B=2'],
  ['numbered names', 'Phys mem_0: 2104\nDISK_12:\nLAN : a_0: b', 'Phys mem_0=2104|DISK_12|LAN=a_0: b'],
  ['a numbered name, and colons', 'DISK_0: A Ver: 1.0\nSize: 42 a_1:2', 'DISK_0=A Ver: 1.0 Size: 42 a_1:2'],
  ['no-break spaces', 'A\u00A0:\u00A01\u00A0', 'A=1'],
])('a hardware list holds %s', (_title, text, list) => {
  const { license } = compareHardware(text, '');
  expect(license.map(({ name, values }) => [name, ...values].join('=')).join('|')).toBe(list);
});

describe('the differences', () => {
  it('are the values that only one list has, in the order of the license, then the rest', () => {
    const license = 'OS : Windows\nName : SRV\nRAM : 1\nLAN : a\nLAN : b\nBoard : x';
    const current = 'Disk : d\nLAN : b\nLAN : c\nOS : Linux\nName : SRV\nBoard :';
    expect(compareHardware(license, current).differences).toEqual([
      { name: 'OS', onlyInLicense: ['Windows'], onlyInCurrent: ['Linux'] },
      { name: 'RAM', onlyInLicense: ['1'], onlyInCurrent: [] },
      { name: 'LAN', onlyInLicense: ['a'], onlyInCurrent: ['c'] },
      { name: 'Board', onlyInLicense: ['x'], onlyInCurrent: [] },
      { name: 'Disk', onlyInLicense: [], onlyInCurrent: ['d'] },
    ]);
  });

  it('leave out the order of values, and a parameter that is empty in one list', () =>
    expect(compareHardware('LAN : a\nLAN : b\nBIOS :', 'LAN : b\nLAN : a').differences).toEqual([]));

  it('are as many as one list has more of equal values', () => {
    const [three, one] = ['DISK : a\nDISK : b\nDISK : a\nDISK : a', 'DISK : a'];
    const more = ['b', 'a', 'a'];
    const [inLicense] = compareHardware(three, one).differences;
    expect(inLicense).toEqual({ name: 'DISK', onlyInLicense: more, onlyInCurrent: [] });
    const [inCurrent] = compareHardware(one, three).differences;
    expect(inCurrent).toEqual({ name: 'DISK', onlyInLicense: [], onlyInCurrent: more });
  });

  it('take a list that ring did not print for an empty one', () => {
    expect(compareHardware('', 'A : 1')).toEqual({
      license: [],
      current: [{ name: 'A', values: ['1'] }],
      differences: [{ name: 'A', onlyInLicense: [], onlyInCurrent: ['1'] }],
    });
  });

  it('do not exist between a list and itself', () => {
    const line = fc.array(fc.string(), { minLength: 1, maxLength: 2 }).map((parts) => parts.join(' : '));
    const text = fc.array(line).map((lines) => lines.join('\n'));
    const itself = fc.property(text, (all) => {
      expect(compareHardware(all, all).differences).toEqual([]);
    });
    fc.assert(itself);
  });
});
