import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { startTestService, upload } from '../support/service.js';

const root = resolve(import.meta.dirname, '../..');
const samples = join(root, 'scripts/demo-ring/samples');

it.each([
  ['ru', /^Информация о пользователе:\n {4}Имя: /, /успешно/, /ошибкой/],
  ['en', /^Customer information:\n {4}First name: /, /passed/, /failed/],
])(
  'the stand-in for ring decodes every sample and no other file (%s)',
  async (RING_LANG, info, fits, not) => {
    const service = await startTestService({ RING_CMD: join(root, 'scripts/demo-ring/ring'), RING_LANG });
    const decodes = readdirSync(samples).map(async (name) => {
      const request = upload(service, readFileSync(join(samples, name)), name).field('detailed', 'true');
      return (await request.expect(200)).body as Record<string, string>;
    });
    const answers = await Promise.all(decodes);
    for (const body of answers) {
      expect(body['licData']).toMatch(info);
      expect(body['licHWConfig']).toContain('Computer name : ');
      expect(body['currentHWConfig']).toContain('OS name : Linux');
    }
    const verdicts = answers.map(({ validateData = '' }) => validateData);
    expect(verdicts.filter((verdict) => fits.test(verdict))).toHaveLength(1);
    expect(verdicts.filter((verdict) => not.test(verdict))).toHaveLength(answers.length - 1);
    expect((await upload(service, Buffer.from('bGljZW5zZQ=='))).status).toBe(422);
  },
);
