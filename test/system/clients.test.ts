import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

it.each<[string, Record<string, string>, number, string]>([
  ['429, 5 MB', { RATE_LIMIT_MAX: '0' }, 5_242_880, 'rate_limited'],
  ['413, 15 MB', {}, 15_000_000, 'file_too_large'],
])(
  'curl shows a refusal before it has sent the file: %s',
  { tags: 'curl' },
  async (_title, settings, size, error) => {
    const service = await spawnService(settings);
    const file = join(await tempDirectory(), 'a.lic');
    await writeFile(file, randomBytes(size));
    for (const header of ['Expect: 100-continue', 'Expect:', 'Transfer-Encoding: chunked']) {
      const fixed = ['-s', '--noproxy', '*', '-F', `license=@${file}`];
      const curl = spawn('curl', [...fixed, '-H', header, `${service.url}/api/decode`]);
      let body = '';
      curl.stdout.on('data', (data: Buffer) => (body += data.toString()));
      expect(await once(curl, 'close'), header).toEqual([0, null]);
      expect(JSON.parse(body), header).toMatchObject({ error });
    }
  },
);
