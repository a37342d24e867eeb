import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openApiDocument } from '../../src/openapi/document.js';

interface Header {
  required?: boolean;
  schema: object;
}
interface Reference {
  $ref: string;
}
interface ResponseObject {
  headers?: Record<string, Reference>;
  content: Record<string, { schema: object }>;
}
interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, ResponseObject> }>>;
  components: { headers: Record<string, Header> };
}

/** What a response looks like from outside, whatever client received it. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

const document = openApiDocument(loadConfig({})) as unknown as OpenApi;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'api', ...document });

/** Checks a real response, status, headers and body, against the service's own OpenAPI document. */
export function expectDocumented(response: ReceivedResponse, path = '/api/decode', method = 'post'): void {
  const documented = document.paths[path]?.[method]?.responses[response.status];
  expect(documented, `${method} ${path} documents status ${response.status}`).toBeDefined();
  if (!documented) return;

  for (const [name, { $ref }] of Object.entries(documented.headers ?? {})) {
    const header = ajv.compile({ $ref: `api${$ref}/schema` }) as (value: unknown) => boolean;
    const { required } = document.components.headers[name] ?? {};
    const value = response.headers[name.toLowerCase()];
    if (value === undefined) {
      expect(required ?? false, `${name} is there`).toBe(false);
      continue;
    }
    expect(header(/^\d+$/.test(String(value)) ? Number(value) : value), `${name}: ${String(value)}`).toBe(
      true,
    );
  }
  if (response.headers['content-type'] === 'text/html; charset=utf-8') {
    expect(documented.content).toHaveProperty(['text/html']);
    return;
  }
  const schema = documented.content['application/json']?.schema;
  const pointer = (schema as Reference | undefined)?.$ref;
  const validate = ajv.compile(pointer ? { $ref: `api${pointer}` } : (schema ?? false));
  expect(validate(response.body), JSON.stringify(validate.errors)).toBe(true);
}
