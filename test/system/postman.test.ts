import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import jwt from 'jsonwebtoken';
import { expect, it } from 'vitest';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

const root = resolve(import.meta.dirname, '../..');
const COLLECTION = 'docs/license-decoder.postman_collection.json';
const SECRET = 'a secret for tests that is longer than 32 bytes';

interface Item {
  name: string;
  event?: { script: { exec: string[] } }[];
  item?: Item[];
  request?: { method: string; url: string };
}

interface Run {
  executions: { item: Item; assertions?: unknown[] }[];
  failures: { source: Item; error: { message: string } }[];
}

/** Each request with the number of assertions in its own scripts and in those of its folders. */
function requestsIn({ event = [], item, ...own }: Item, inherited = 0): (Item & { checks: number })[] {
  const scripts = event.flatMap(({ script }) => script.exec).join();
  const checks = inherited + scripts.split('pm.test(').length - 1;
  return item?.flatMap((child) => requestsIn(child, checks)) ?? [{ ...own, checks }];
}

it('the Postman collection passes and covers the API', async () => {
  const { url } = await spawnService({
    RING_CMD: join(root, 'scripts/demo-ring/ring'),
    JWT_SECRET: SECRET,
    RATE_LIMIT_MAX: '3',
  });
  const report = join(await tempDirectory(), 'report.json');
  const output = ['--reporters', 'json', '--reporter-json-export', report, '--suppress-exit-code'];
  const variables = ['--env-var', `baseUrl=${url}`, '--env-var', `token=${jwt.sign({}, SECRET)}`];
  await promisify(execFile)(
    'node_modules/.bin/newman',
    ['run', COLLECTION, '--working-dir', '.', ...output, ...variables],
    { cwd: root, env: { ...process.env, NO_PROXY: '*' } },
  );
  const { executions, failures } = (JSON.parse(readFileSync(report, 'utf8')) as { run: Run }).run;
  expect(failures.map(({ source, error }) => `${source.name}: ${error.message}`)).toEqual([]);
  const requests = requestsIn(JSON.parse(readFileSync(join(root, COLLECTION), 'utf8')) as Item);
  const ran = executions.map(({ item, assertions = [] }) => [item.name, assertions.length] as const);
  expect(new Map(ran)).toEqual(new Map(requests.map(({ name, checks }) => [name, checks])));

  const { paths } = (await (await fetch(`${url}/api/docs`)).json()) as { paths: Record<string, object> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} {{baseUrl}}${path}`),
  );
  const sent = requests.map(({ request }) => `${request?.method ?? ''} ${request?.url ?? ''}`);
  expect(sent).toEqual(expect.arrayContaining(documented));
});
