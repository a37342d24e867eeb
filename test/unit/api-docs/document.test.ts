import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openApiDocument } from '../../../src/api-docs/document.js';
import { loadConfig } from '../../../src/config/settings.js';
import { catalogEntry, ERROR_CODES } from '../../../src/errors/catalog.js';

interface ErrorResponse {
  headers: object;
  content: { 'application/json': { examples: Record<string, { value: { message?: string } }> } };
}

const document = openApiDocument(loadConfig({ RATE_LIMIT_MAX: '7' })) as unknown as {
  info: { description: string };
  paths: { '/api/decode': { post: { responses: Record<string, ErrorResponse> } } };
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
    ['3600', /\b7 decodes per hour\b/],
    ['60', /\b7 decodes in 60 seconds\b/],
  ])('tells the limit that is set, for a window of %s s', (RATE_LIMIT_WINDOW_SECONDS, words) => {
    const config = loadConfig({ RATE_LIMIT_MAX: '7', RATE_LIMIT_WINDOW_SECONDS });
    expect(openApiDocument(config)['info']).toHaveProperty('description', expect.stringMatching(words));
  });

  // After a change of the API that is meant: npx vitest run -u --project unit test/unit/api-docs
  it('has not changed', async () => {
    const api = openApiDocument(loadConfig({}));
    const withoutVersion = { ...api, info: { ...(api['info'] as object), version: undefined } };
    const yaml = stringify(withoutVersion, {
      aliasDuplicateObjects: false,
      lineWidth: 120,
      singleQuote: true,
    });
    await expect(yaml).toMatchFileSnapshot('openapi.yaml');
  });
});

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  description?: string;
  format?: string;
}

/** The schema's alternatives and items. */
const partsOf = ({ items, anyOf = [] }: Schema) => (items ? [items, ...anyOf] : anyOf);

/** Every property of a schema and of those in it, by its path. */
function propertiesOf(schema: Schema, path: string): [path: string, property: Schema][] {
  const own = Object.entries(schema.properties ?? {}).map(([name, property]): [string, Schema] => [
    `${path}.${name}`,
    property,
  ]);
  const nested = own.flatMap(([name, property]) => propertiesOf(property, name));
  return [...own, ...nested, ...partsOf(schema).flatMap((part) => propertiesOf(part, path))];
}

describe('each property of the OpenAPI document', () => {
  const { paths, components } = openApiDocument(loadConfig({})) as unknown as {
    paths: { '/api/decode': { post: { requestBody: { content: Record<string, { schema: Schema }> } } } };
    components: { schemas: Record<string, Schema> };
  };
  const form = paths['/api/decode'].post.requestBody.content['multipart/form-data']?.schema ?? {};
  const schemas = Object.entries({ form, ...components.schemas });
  const properties = schemas.flatMap(([name, schema]) => propertiesOf(schema, name));
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
  const isMadeOfProperties = (schema: Schema) =>
    [schema, ...partsOf(schema)].some((part) => resolve(part).properties !== undefined);
  const isValue = (property: Schema) => !isMadeOfProperties(property) && property.format !== 'binary';

  it('has an example, if it is a value', () =>
    expect(
      without((property) => isValue(property) && !('example' in property) && !('default' in property)),
    ).toEqual([]));
});
