import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { catalogEntry, type ErrorCode } from '../errors/catalog.js';
import { errorBodySchema, HttpError, rateLimitedBodySchema } from '../errors/http-error.js';

/** A part of the OpenAPI document. */
export type Json = Record<string, unknown>;

/** Every loaded schema with an `id`, by that id. zod writes JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // A later version may add fields, which must not break strict clients.
      delete jsonSchema.additionalProperties;
    },
  });

  const components: Json = {};
  for (const id of Object.keys(schemas).sort()) {
    // `$schema` and `$id` belong to a file with one schema. In the document, a schema is known by its place.
    components[id] = { ...schemas[id], $schema: undefined, $id: undefined };
  }
  return components;
}

/** A response. Of the headers that every answer has, only the 200 lists all. */
export function response(
  description: string,
  content: Json,
  headers = ['X-Request-Id', 'Cache-Control'],
): Json {
  const references: Json = {};
  for (const name of headers) {
    references[name] = { $ref: `#/components/headers/${name}` };
  }
  return { description, headers: references, content };
}

/** A JSON response. The schema has an `id`; the examples are by name. */
export function jsonResponse(
  description: string,
  schema: z.ZodType,
  examples: Record<string, unknown>,
  headers?: string[],
): Json {
  const named: Json = {};
  for (const [name, value] of Object.entries(examples)) {
    named[name] = { value };
  }

  const id = schema.meta()?.id;
  const json = {
    schema: { $ref: `#/components/schemas/${id}` },
    examples: named,
  };
  return response(description, { 'application/json': json }, headers);
}

/** The error with the example values of the catalog. */
export function exampleOf(code: ErrorCode): HttpError {
  const { example } = catalogEntry(code);
  return new HttpError(code, example && { values: example });
}

/** The responses for the given errors, one entry per status, each error with an example. */
export function errorResponses(codes: readonly ErrorCode[]): Json {
  const examples = codes.map((code) => exampleOf(code));
  const byStatus = Map.groupBy(examples, ({ status }) => status);

  const responses: Json = {};
  for (const [status, errors] of byStatus) {
    responses[status] = errorResponse(status, errors);
  }
  return responses;
}

/** @param errors those of the status, each as an example */
function errorResponse(status: number, errors: readonly HttpError[]): Json {
  const codes: string[] = [];
  const examples: Json = {};
  for (const error of errors) {
    codes.push(`\`${error.code}\``);
    examples[error.code] = error.body('en');
  }
  const description = `${STATUS_CODES[status]}: ${codes.join(', ')}`;

  const headers: string[] = [];
  const hasRetryAfter = errors.some(({ retryAfter }) => retryAfter !== undefined);
  if (hasRetryAfter) headers.push('Retry-After');
  if (status === 405) headers.push('Allow');

  const schema = status === 429 ? rateLimitedBodySchema : errorBodySchema;
  return jsonResponse(description, schema, examples, headers);
}

/** A header of the limit. */
const quotaHeader = (description: string, schema: Json): Json => ({
  description: `${description}; only without a valid token`,
  schema,
});

/** Every header that the document refers to. */
export const HEADERS: Json = {
  'X-Request-Id': {
    required: true,
    description: "Id of the request in the service's log; the client's own if it sent a valid one",
    schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
  },
  'Cache-Control': { required: true, description: 'Nothing may be stored', schema: { const: 'no-store' } },
  Allow: { required: true, description: 'Methods of the path', schema: { type: 'string' } },
  'Retry-After': {
    description:
      'Seconds to wait; absent where only clients with a token can decode, because waiting does not help',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'Why the token is not accepted',
    schema: { type: 'string', pattern: '^Bearer error="invalid_token", error_description="' },
  },
  'RateLimit-Policy': quotaHeader('The limit by draft-ietf-httpapi-ratelimit-headers-08', { type: 'string' }),
  RateLimit: quotaHeader('What is left, by the same draft', { type: 'string' }),
  'X-RateLimit-Limit': quotaHeader('Requests per window', { type: 'integer', minimum: 0 }),
  'X-RateLimit-Remaining': quotaHeader('Requests left in this window', { type: 'integer', minimum: 0 }),
  'X-RateLimit-Reset': quotaHeader('Seconds until the window ends', { type: 'integer', minimum: 1 }),
};
