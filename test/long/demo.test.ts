import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEMO_RING, SAMPLES } from '../support/project.js';
import { startTestService, upload } from '../support/service.js';

it('the stand-in for ring decodes every sample and no other file', async () => {
  const service = await startTestService({ RING_CMD: DEMO_RING, RING_LANG: 'en' });
  const decodes = readdirSync(SAMPLES).map(async (name) => {
    const request = upload(service, readFileSync(join(SAMPLES, name)), name).field('detailed', 'true');
    return (await request.expect(200)).body as Record<string, string>;
  });
  const answers = await Promise.all(decodes);
  for (const body of answers) {
    expect(body['licData']).toMatch(/^Customer information:\n {4}First name: /);
    expect(body['licHWConfig']).toContain('Computer name : ');
    expect(body['currentHWConfig']).toContain('OS name : Linux');
  }
  const fitting = answers.filter(({ validateData }) => validateData?.includes('passed'));
  expect(fitting).toHaveLength(1);
  expect((await upload(service, Buffer.from('bGljZW5zZQ=='))).status).toBe(422);
});
