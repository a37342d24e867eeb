import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { openApiDocument } from '../../src/api-docs/document.js';
import { loadConfig } from '../../src/config/settings.js';

interface Reference {
  $ref: string;
}
interface ResponseObject {
  headers?: Record<string, Reference>;
  content: Record<string, { schema: object; examples?: Record<string, unknown> }>;
}
interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, ResponseObject> }>>;
  components: { headers: Record<string, { required?: boolean }> };
}

/** What a response looks like from outside, whatever client received it. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

const document = openApiDocument(loadConfig({})) as unknown as OpenApi;
const ajv = new Ajv2020({ strict: false, formats: { date: /^\d{4}-\d\d-\d\d$/ } });
ajv.addSchema({ $id: 'api', ...document });

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

function expectValid(schema: Reference | object, value: unknown, what: string): void {
  const validate = '$ref' in schema ? ajv.getSchema(`api${schema.$ref}`) : ajv.compile(schema);
  expect(validate?.(value), `${what}: ${JSON.stringify(value)}: ${JSON.stringify(validate?.errors)}`).toBe(
    true,
  );
}

function documentedResponse(status: number, path: string, method: string): ResponseObject {
  const documented = document.paths[path]?.[method]?.responses[status];
  if (!documented) throw new Error(`${method} ${path} does not document status ${status}`);
  return documented;
}

/** Checks status, headers and body of a response against the service's own OpenAPI document. */
export function expectDocumented(response: ReceivedResponse, path = '/api/decode', method = 'post'): void {
  const documented = documentedResponse(response.status, path, method);
  // What the document says in words: every answer has the one header, and a decode those of its 200.
  const common = path === '/api/decode' ? documentedResponse(200, path, method).headers : REQUEST_ID;
  for (const [name, { $ref }] of Object.entries({ ...common, ...documented.headers })) {
    const value = response.headers[name.toLowerCase()];
    const isRequired = document.components.headers[name]?.required ?? false;
    if (value === undefined) expect(isRequired, `${name} is missing`).toBe(false);
    else expectValid({ $ref: `${$ref}/schema` }, /^\d+$/.test(String(value)) ? Number(value) : value, name);
  }
  expectValid(documented.content['application/json']?.schema ?? {}, response.body, 'body');
}

/** Checks that a response is exactly this error, with the status that the OpenAPI document gives it. */
export function expectError(
  response: ReceivedResponse | undefined,
  code: string,
  path = '/api/decode',
  method = 'post',
): void {
  expect(response, `an answer with ${code}`).toBeDefined();
  if (!response) return;
  expect(response.body).toMatchObject({ error: code });
  expect(response.headers['content-language']).toMatch(/^(?:en|ru)$/);
  expectDocumented(response, path, method);
  const { content } = documentedResponse(response.status, path, method);
  expect(Object.keys(content['application/json']?.examples ?? {})).toContain(code);
}
