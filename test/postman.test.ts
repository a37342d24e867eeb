import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postmanCollection } from '../scripts/postman/collection.mjs';
import { loadConfig } from '../src/config.js';
import { MAX_FILE_BYTES } from '../src/middleware/upload.js';
import { openApiDocument } from '../src/openapi/document.js';
import { filesOf, spawnService } from './support/spawned-service.js';
import { tempDirectory } from './support/temp.js';

const root = resolve(import.meta.dirname, '..');
const COLLECTION = join(root, 'docs/decode.postman_collection.json');
const SECRET = 'a secret for tests that is longer than 32 bytes';
/** Milliseconds; less than the 65 s that the service keeps an idle connection, which newman is not to wait for. */
const NEWMAN_MS = 60_000;

interface Item {
  name: string;
  item?: Item[];
}

/** The part of newman's JSON report that is looked at. */
interface Report {
  run: {
    executions: { item: Item; response?: { code: number }; assertions?: unknown[] }[];
    failures: { source: Item; error: { test?: string; message: string } }[];
  };
}

const requestsIn = ({ name, item }: Item): string[] => (item ? item.flatMap(requestsIn) : [name]);

/** Sends every request of the committed collection to a service, with newman's command. */
async function runNewman(variables: Record<string, string>): Promise<Report['run']> {
  const report = join(await tempDirectory(), 'report.json');
  const output = await new Promise<string>((done) => {
    const newman = execFile(
      process.execPath,
      [
        join(root, 'node_modules/newman/bin/newman.js'),
        ...['run', COLLECTION, '--working-dir', root],
        ...['--reporters', 'json', '--reporter-json-export', report],
        ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
      ],
      // A proxy that the environment names would be asked for the service.
      { env: { ...process.env, NO_PROXY: '*' } },
      (_failed, stdout, stderr) => {
        done(stdout + stderr);
      },
    );
    onTestFinished(() => {
      newman.kill('SIGKILL');
    });
  });
  try {
    return (JSON.parse(readFileSync(report, 'utf8')) as Report).run;
  } catch {
    throw new Error(`newman wrote no report: ${output}`);
  }
}

describe('docs/decode.postman_collection.json', () => {
  it('is what npm run postman writes', async () => {
    const file = join(await tempDirectory(), 'collection.json');
    const script = join(root, 'scripts/postman.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const isInStep = readFileSync(file, 'utf8') === readFileSync(COLLECTION, 'utf8');
    expect(isInStep, 'the collection is in step with the document; if not: npm run postman').toBe(true);
  });

  it('gets every documented answer from the running service', { timeout: NEWMAN_MS }, async () => {
    const service = await spawnService({
      RING_CMD: join(root, 'scripts/demo-ring/ring'),
      JWT_SECRET: SECRET,
      RATE_LIMIT_MAX: '3',
    });
    const { executions, failures } = await runNewman({
      baseUrl: service.url,
      token: jwt.sign({}, SECRET, { algorithm: 'HS256' }),
    });
    expect(
      failures.map(({ source, error }) => `${source.name}: ${error.test ?? ''}: ${error.message}`),
    ).toEqual([]);
    const collection = JSON.parse(readFileSync(COLLECTION, 'utf8')) as Item;
    expect(executions.map(({ item }) => item.name)).toEqual(requestsIn(collection));
    for (const { item, response, assertions } of executions) {
      expect(response, `the answer to ${item.name}`).toBeDefined();
      expect(assertions?.length ?? 0, `checks of ${item.name}`).toBeGreaterThan(3);
    }
    expect(executions.flatMap(({ assertions = [] }) => assertions).length).toBeGreaterThan(250);
    expect(filesOf(service)).toEqual([]);
  });
});

/** The document, as far as these tests change it. */
interface Changeable {
  tags: { name: string }[];
  paths: Record<string, Record<string, { responses: Record<string, ChangeableResponse> }>>;
  components: { schemas: { Error: { properties: { error: { enum: string[] } } }; Health: object } };
}
interface ChangeableResponse {
  headers: Record<string, unknown>;
  content: { 'application/json': { examples: Record<string, unknown> } };
}

describe('no collection is written', () => {
  const decodeAnswer = ({ paths }: Changeable, status: number) => {
    const answer = paths['/api/decode']?.['post']?.responses[status];
    if (!answer) throw new Error(`there is no ${status} to change`);
    return answer;
  };
  const codes = ({ components }: Changeable) => components.schemas.Error.properties.error.enum;

  it.each<[string, (document: Changeable) => void, RegExp]>([
    [
      'when a case counts on a status that is not documented',
      ({ paths }) => {
        delete paths['/healthz']?.['get']?.responses[405];
      },
      /^GET \/healthz does not document .*: method_not_allowed/,
    ],
    [
      'when a case counts on a code that is not documented',
      (document) => {
        delete decodeAnswer(document, 422).content['application/json'].examples['file_empty'];
        codes(document).splice(codes(document).indexOf('file_empty'), 1);
      },
      /^POST \/api\/decode does not document .*: file_empty/,
    ],
    [
      'when a case counts on a header that is not documented',
      (document) => {
        delete decodeAnswer(document, 429).headers['Retry-After'];
      },
      /no header Retry-After/,
    ],
    [
      'when a documented code is neither a case nor one that no request brings about',
      (document) => {
        codes(document).push('teapot');
        decodeAnswer(document, 422).content['application/json'].examples['teapot'] = {
          value: { error: 'teapot' },
        };
      },
      /^POST \/api\/decode has no case for: 422 teapot/,
    ],
    [
      'when a documented status is no case',
      ({ paths }) => {
        Object.assign(paths['/healthz']?.['get']?.responses ?? {}, { 204: { content: {} } });
      },
      /^GET \/healthz has no case for: 204/,
    ],
    [
      'when no operation answers a code',
      (document) => codes(document).push('teapot'),
      /^teapot is either no answer/,
    ],
    [
      'when an operation has no case',
      ({ paths, tags: [tag] }) => {
        paths['/new'] = { get: Object.assign({ responses: {} }, { operationId: 'new', tags: [tag?.name] }) };
      },
      /^new has no cases/,
    ],
    [
      'when Postman may understand a schema differently',
      ({ components }) => Object.assign(components.schemas.Health, { unevaluatedProperties: false }),
      /^"unevaluatedProperties" in a schema/,
    ],
  ])('%s', (_title, change, message) => {
    const config = loadConfig({});
    const document = structuredClone(openApiDocument(config));
    change(document as unknown as Changeable);
    const write = () =>
      postmanCollection(document, { requests: config.RATE_LIMIT_MAX, bytes: MAX_FILE_BYTES });
    expect(write).toThrow(message);
  });
});
