import { expect, it } from 'vitest';
import { decodeEncodedWords } from '../../../src/decode/encoded-words.js';

it.each([
  ['base64 in UTF-8', '=?utf-8?B?0LvQuNGG0LXQvdC30LjRjy5saWM=?=', 'лицензия.lic'],
  ['Q in UTF-8', '=?UTF-8?Q?=D0=BB=D0=B8=D1=86_1.lic?=', 'лиц 1.lic'],
  ['base64 in windows-1251', '=?windows-1251?b?6+j2LmxpYw==?=', 'лиц.lic'],
  ['Q in KOI8-R', '=?koi8-r?q?=CC=C9=C3.lic?=', 'лиц.lic'],
  ['two words', '=?utf-8?B?0LvQuA==?= =?utf-8?B?0YYubGlj?=', 'лиц.lic'],
  ['a word before plain text', '=?utf-8?B?0LvQuNGG?= (1).lic', 'лиц (1).lic'],
  ['an unknown charset', '=?klingon?B?YQ==?=.lic', '=?klingon?B?YQ==?=.lic'],
  ['no word', 'a=?b.lic', 'a=?b.lic'],
])('a name with %s is decoded', (_title, name, decoded) => {
  expect(decodeEncodedWords(name)).toBe(decoded);
});
