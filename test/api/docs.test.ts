import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectDocumented } from '../support/contract.js';
import { startTestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

it('GET /api/docs serves an OpenAPI document in which the linter finds nothing, not even a warning', async () => {
  const response = await supertest((await startTestService()).url).get('/api/docs');
  expectDocumented(response, '/api/docs', 'get');
  expect(response.body).toMatchObject({ openapi: '3.1.0' });

  const file = join(await tempDirectory(), 'openapi.json');
  await writeFile(file, response.text);
  const { status, stdout, stderr } = spawnSync(
    resolve(import.meta.dirname, '../../node_modules/.bin/redocly'),
    ['lint', '--extends=recommended', '--max-problems=20', file],
    { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
  );
  expect(status, stdout + stderr).toBe(0);
  expect(stdout + stderr).toContain('is valid');
  expect(stdout + stderr).not.toMatch(/\bwarnings?\b/i);
});
