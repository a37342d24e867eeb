import { expect, it } from 'vitest';
import { run } from '../../../src/ring/run.js';

const HOW = { language: 'en', env: { PATH: process.env['PATH'] }, timeoutMs: 60_000 } as const;
const shell = (script: string) => run(['-c', script], { ...HOW, launcher: '/bin/sh' });

it('reads a line that is not UTF-8 as windows-1251, and says so', async () => {
  const { stdout, isUtf8 } = await shell(
    "printf 'Имя: '; sleep 0.1; printf 'Иван\\n\\310\\342\\340\\355\\n'",
  );
  expect({ stdout, isUtf8 }).toEqual({ stdout: 'Имя: Иван\nИван\n', isUtf8: false });
});

it.each([
  ['stdout', 'head -c 250000 /dev/zero', 'head -c 250001 /dev/zero'],
  ['stderr', 'head -c 200000 /dev/zero >&2', 'head -c 200001 /dev/zero >&2'],
])('reads %s up to its limit, and kills a ring that prints more', async (_stream, allowed, tooMuch) => {
  expect(await shell(allowed)).toMatchObject({ exitCode: 0 });
  await expect(shell(tooMuch)).rejects.toMatchObject({ reason: 'output_limit' });
});
