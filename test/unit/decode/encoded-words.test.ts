import { expect, it } from 'vitest';
import { decodeEncodedWords } from '../../../src/decode/encoded-words.js';

it.each([
  ['base64', '=?utf-8?B?0LvQuNGG0LXQvdC30LjRjy5saWM=?=', 'лицензия.lic'],
  ['Q', '=?UTF-8?q?=D0=BB=D0=B8=D1=86_1.lic?=', 'лиц 1.lic'],
  ['two words', '=?utf-8?B?0LvQuA==?= =?utf-8?B?0YYubGlj?=', 'лиц.lic'],
  ['a word before plain text', '=?utf-8?B?0LvQuNGG?= (1).lic', 'лиц (1).lic'],
  ['another charset, of which only ASCII is read', '=?windows-1251?b?6y5saWM=?=', '\uFFFD.lic'],
  ['no word', 'a=?b.lic', 'a=?b.lic'],
])('a name with %s is decoded', (_title, name, decoded) => {
  expect(decodeEncodedWords(name)).toBe(decoded);
});
