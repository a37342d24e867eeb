import { expect, it } from 'vitest';
import { recognizeFile } from '../../../../src/web/page/model/recognize-file.js';

const MAX_BYTES = 5 * 1024 ** 2;
const LINE = 'QUJD'.repeat(16);

const recognize = (file: File) => recognizeFile({ file, folder: '' }, MAX_BYTES);

it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
  ['is empty', '', 'empty'],
  ['is larger than the service takes', new Uint8Array(MAX_BYTES + 1), 'tooLarge'],
  ['is a PDF', '%PDF-1.7\n1 0 obj\n', 'pdf'],
  ['is a zip archive', 'PK\x03\x04\x14\0\0\0', 'archive'],
  ['is a private key', '-----BEGIN PRIVATE KEY-----\nMIIE\n', 'privateKey'],
  ['has a private key', `${LINE}\nТип лицензии: клиент\n-----BEGIN RSA PRIVATE KEY-----\n`, 'privateKey'],
  ['is a web page', '\uFEFF\n<!DOCTYPE html><p>Sign in</p>', 'notLicense'],
  ['is a certificate', `-----BEGIN CERTIFICATE-----\n${LINE}\n`, 'notLicense'],
  ['is a license for FlexNet', '# FlexNet\nSERVER this_host ANY 27000\nVENDOR acme\n', 'notLicense'],
  ['is a feature for FlexNet', 'INCREMENT acad acme 1.0 31-dec-2026 5 SIGN="0"\n', 'notLicense'],
])('a file that %s is left out', async (_what, content, reason) => {
  expect(await recognize(new File([content], 'a.lic'))).toEqual({ name: 'a.lic', reason });
});

it('a file that the browser cannot read is left out', async () => {
  const gone = new File(['x'], 'gone.lic');
  gone.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
  expect(await recognize(gone)).toEqual({ name: 'gone.lic', reason: 'unreadable' });
});

it.each<[string, string | Uint8Array<ArrayBuffer>, boolean]>([
  ['is as large as the service takes', new Uint8Array(MAX_BYTES), true],
  ['begins with the letters PK', `PKkx${LINE}\n${LINE}\n`, false],
  ['has only one line of Base64', LINE, false],
  ['has Base64 below a text', `Our license of 2019\n\n${LINE}\r\n`, false],
  ['is Base64 in UTF-16', `\uFEFF${LINE}`.replace(/./g, '$&\0'), true],
  ['is a quoted mail', `> ${LINE}\n> ${LINE}\n`, true],
  ['is binary', 'MZ\x90\0 This program cannot be run in DOS mode.\n', true],
  ['is a text of which nothing is known', 'This is a license.\n', true],
])('a file that %s is listed, because only ring knows what it is', async (_what, content, isUnlikely) => {
  expect(await recognize(new File([content], 'a.lic'))).toMatchObject({
    name: 'a.lic',
    clearText: null,
    isUnlikely,
  });
});
