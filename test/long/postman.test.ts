import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import jwt from 'jsonwebtoken';
import { expect, it } from 'vitest';
import { DEMO_RING, read, ROOT } from '../support/project.js';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

const COLLECTION = 'docs/license-decoder.postman_collection.json';
const SECRET = 'a secret for tests that is longer than 32 bytes';

interface Item {
  name: string;
  item?: Item[];
  request?: { method: string; url: string };
}

interface Run {
  executions: { item: Item; assertions?: unknown[] }[];
  failures: { source: Item; error: { message: string } }[];
}

const requestsIn = ({ item, ...own }: Item): Item[] => item?.flatMap(requestsIn) ?? [own];

it('the Postman collection passes and covers the API', async () => {
  const { url } = await spawnService({ RING_CMD: DEMO_RING, JWT_SECRET: SECRET, RATE_LIMIT_MAX: '3' });
  const report = join(await tempDirectory(), 'report.json');
  const output = ['--reporters', 'json', '--reporter-json-export', report, '--suppress-exit-code'];
  const variables = ['--env-var', `baseUrl=${url}`, '--env-var', `token=${jwt.sign({}, SECRET)}`];
  await promisify(execFile)(
    'node_modules/.bin/newman',
    ['run', COLLECTION, '--working-dir', '.', ...output, ...variables],
    { cwd: ROOT, env: { ...process.env, NO_PROXY: '*' } },
  );
  const { executions, failures } = (JSON.parse(readFileSync(report, 'utf8')) as { run: Run }).run;
  expect(failures.map(({ source, error }) => `${source.name}: ${error.message}`)).toEqual([]);
  const requests = requestsIn(JSON.parse(read(COLLECTION)) as Item);
  expect(new Set(executions.map(({ item }) => item.name))).toEqual(new Set(requests.map(({ name }) => name)));
  for (const { item, assertions = [] } of executions)
    expect([item.name, assertions]).not.toEqual([item.name, []]);

  const { paths } = (await (await fetch(`${url}/api/docs`)).json()) as { paths: Record<string, object> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} {{baseUrl}}${path}`),
  );
  const sent = requests.map(({ request }) => `${request?.method ?? ''} ${request?.url ?? ''}`);
  expect(sent).toEqual(expect.arrayContaining(documented));
});
