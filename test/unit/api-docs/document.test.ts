import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openApiDocument } from '../../../src/api-docs/document.js';
import { loadConfig } from '../../../src/config/settings.js';
import { catalogEntry, ERROR_CODES } from '../../../src/errors/catalog.js';

interface ErrorSchema {
  $ref?: string;
  required?: string[];
}

interface ErrorResponse {
  headers: object;
  content: {
    'application/json': { schema: ErrorSchema; examples: Record<string, { value: { message?: string } }> };
  };
}

interface Operations {
  info: { contact: { url: string } };
  paths: Record<string, Record<string, { description?: string }>>;
}

const document = openApiDocument(loadConfig({ RATE_LIMIT_MAX: '7' })) as unknown as {
  info: { description: string };
  paths: { '/api/decode': { post: { responses: Record<string, ErrorResponse> } } };
  components: { schemas: Record<string, ErrorSchema> };
};

describe('the OpenAPI document', () => {
  it('has an example of each error', () => {
    for (const code of ERROR_CODES.filter((code) => code !== 'not_found')) {
      const { status, retryAfter } = catalogEntry(code);
      const response = document.paths['/api/decode'].post.responses[status];
      const message = response?.content['application/json'].examples[code]?.value.message ?? '';
      expect(message, code).toMatch(/^[^{}]+$/);
      if (retryAfter !== undefined) expect(response?.headers, code).toHaveProperty('Retry-After');
    }
  });

  it.each([
    ['3600', /\b7 decode requests per hour\b/],
    ['60', /\b7 decode requests in 60 seconds\b/],
  ])('tells the limit that is set, for a window of %s s', (RATE_LIMIT_WINDOW_SECONDS, words) => {
    const config = loadConfig({ RATE_LIMIT_MAX: '7', RATE_LIMIT_WINDOW_SECONDS });
    expect(openApiDocument(config)['info']).toHaveProperty('description', expect.stringMatching(words));
  });

  it('tells whom to ask, and describes each operation', () => {
    const { info, paths } = openApiDocument(loadConfig({})) as unknown as Operations;
    expect(info.contact.url).toMatch(/^https:/);
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ description = '' }) => ({ path, isDescribed: description !== '' })),
    );
    expect(operations.length).toBeGreaterThan(3);
    expect(operations.filter(({ isDescribed }) => !isDescribed)).toEqual([]);
  });

  // A generated client types an error as what all answers with an error have in common.
  it('requires a code and a message in each error of a decode', () => {
    const { responses } = document.paths['/api/decode'].post;
    const { schemas } = document.components;
    const errors = Object.entries(responses).filter(([status]) => status !== '200');
    expect(errors.length).toBeGreaterThan(10);
    for (const [status, response] of errors) {
      const { schema } = response.content['application/json'];
      const name = schema.$ref?.split('/').at(-1) ?? '';
      const { required } = schemas[name] ?? schema;
      expect(required, status).toEqual(expect.arrayContaining(['error', 'message']));
    }
  });

  // After a change of the API or the version: npx vitest run -u --project unit test/unit/api-docs
  it('is docs/openapi.yaml', async () => {
    const api = openApiDocument(loadConfig({})) as { info: { version: string } };
    // Without the commit, which a build may have.
    const version = api.info.version.replace(/\+.*/, '');
    const published = { ...api, info: { ...api.info, version } };
    const yaml = stringify(published, {
      aliasDuplicateObjects: false,
      lineWidth: 120,
      singleQuote: true,
    });
    await expect(yaml).toMatchFileSnapshot('../../../docs/openapi.yaml');
  });
});

interface Schema {
  properties?: Record<string, Schema>;
  $ref?: string;
  description?: string;
  format?: string;
}

/** Every property of the schemas in a part of the document, by its path. */
function propertiesIn(part: unknown, path: string): [path: string, property: Schema][] {
  if (typeof part !== 'object' || part === null) return [];
  const own = Object.entries((part as Schema).properties ?? {}).map(([name, property]): [string, Schema] => [
    `${path}.${name}`,
    property,
  ]);
  return [...own, ...Object.entries(part).flatMap(([key, value]) => propertiesIn(value, `${path}.${key}`))];
}

describe('each property of the OpenAPI document', () => {
  const { paths, components } = openApiDocument(loadConfig({})) as unknown as {
    paths: { '/api/decode': { post: { requestBody: object } } };
    components: { schemas: Record<string, Schema> };
  };
  const properties = propertiesIn([paths['/api/decode'].post.requestBody, components.schemas], '');
  const resolve = (schema: Schema) => components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const without = (isMissing: (property: Schema) => boolean) =>
    properties.filter(([, property]) => isMissing(property)).map(([path]) => path);

  it('has a description', () => {
    expect(properties.length).toBeGreaterThan(50);
    expect(
      without((property) => !/\w/.test(property.description ?? resolve(property).description ?? '')),
    ).toEqual([]);
  });

  /** Those made of properties have the examples of these; a file has none. */
  const isValue = (property: Schema) =>
    !/"(?:properties|\$ref)":/.test(JSON.stringify(property)) && property.format !== 'binary';

  it('has an example, if it is a value', () =>
    expect(
      without((property) => isValue(property) && !('example' in property) && !('default' in property)),
    ).toEqual([]));
});
