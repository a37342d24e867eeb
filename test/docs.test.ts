import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { loadConfig } from '../src/config.js';
import { ERROR_CODES } from '../src/errors.js';
import { openApiDocument } from '../src/openapi/document.js';
import { startTestService } from './support/service.js';
import { tempDirectory } from './support/temp.js';
import { expectDocumented } from './support/contract.js';

it('GET /api/docs serves the document', async () => {
  const service = await startTestService({ RATE_LIMIT_MAX: '7' });
  const response = await supertest(service.url)
    .get('/api/docs')
    .expect(200)
    .expect('Content-Type', /^application\/json/);
  expectDocumented(response, '/api/docs', 'get');
  expect(response.body).toMatchObject({ openapi: '3.1.0' });
  expect((response.body as { info: { description: string } }).info.description).toContain('7 decodes');
});

it('the document passes the linter with its recommended rules and no warning', async () => {
  const file = join(await tempDirectory(), 'openapi.json');
  await writeFile(file, JSON.stringify(openApiDocument(loadConfig({}))));
  const cli = resolve(import.meta.dirname, '../node_modules/.bin/redocly');
  const { status, stdout, stderr } = spawnSync(
    cli,
    ['lint', '--extends=recommended', '--max-problems=20', file],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  expect(stdout + stderr).not.toMatch(/\bwarnings?\b/i);
});

it('every error code has an example with no place left open', () => {
  const text = JSON.stringify(openApiDocument(loadConfig({})));
  for (const code of ERROR_CODES) expect(text).toContain(code);
  expect(text).not.toMatch(/"message":"[^"]*\{\w+\}/);
});
