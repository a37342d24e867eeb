import { describe, expect, it } from 'vitest';
import { recognizeFile } from '../../../../src/web/page/model/recognize-file.js';
import { windows1251 } from '../../license/license-file.js';

const MAX_BYTES = 5 * 1024 ** 2;
const LINE = 'QUJD'.repeat(16);

const read = (content: string | Uint8Array<ArrayBuffer>) =>
  recognizeFile({ file: new File([content], 'a.lic'), folder: '' }, MAX_BYTES);

describe('a file that', () => {
  it('is too large is the same as another one only at the same path', async () => {
    const tooLarge = (name: string) =>
      recognizeFile({ file: new File([new Uint8Array(MAX_BYTES + 1)], name), folder: '' }, MAX_BYTES);
    const [first, again, other] = [await tooLarge('a.lic'), await tooLarge('a.lic'), await tooLarge('b.lic')];
    expect(again.fingerprint).toBe(first.fingerprint);
    expect(other.fingerprint).not.toBe(first.fingerprint);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['is a PDF', '%PDF-1.7\n1 0 obj\n', 'isPdf'],
    ['is a PDF with Base64 in it', `%PDF-1.7\n${LINE}\n`, 'isPdf'],
    ['is a zip archive', 'PK\x03\x04\x14\0\0\0', 'isArchive'],
  ])('%s is refused', async (_what, content, key) => {
    const failure = { problem: { key }, canRetry: false };
    expect(await read(content)).toMatchObject({ content: { status: 'unfit', failure } });
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['begins with the letters PK', `PKkx${LINE}\n${LINE}\n`],
    ['has only one line of Base64', LINE],
    ['has only the end of a license', 'bGljZW5zZQ==\n'],
    ['has Base64 below a text', `Our license of 2019\n\n${LINE}\n`],
    ['has clear text of a license, and no Base64', 'Срок действия: 31.12.2026\n'],
    ['is binary', 'MZ\x90\0 This program cannot be run in DOS mode.\n'],
    ['is a text without blanks', 'license'],
  ])('%s is to be read by the service', async (_what, content) => {
    expect(await read(content)).toMatchObject({ content: { status: 'unread', failure: null } });
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['English', 'This is a license.\n'],
    ['Russian', 'Пароль: на стикере\n'],
    ['Russian in an old encoding', windows1251('Это не лицензия\n')],
    ['a page', '<!doctype html>\n<title>Sign in</title>\n<p class="hint">Sign in first\n'],
  ])('is a text without Base64 (%s) is read by the service only if the user wants it', async (_, content) => {
    const failure = { problem: { key: 'noBase64' }, canRetry: true };
    expect(await read(content)).toMatchObject({ content: { status: 'unfit', failure } });
  });
});
