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
  const names = Object.keys(schemas).sort();
  return Object.fromEntries(
    names.map((name) => [name, { ...schemas[name], $schema: undefined, $id: undefined }]),
  );
}

/** A response. Only the 200 lists the headers that every answer has. */
export const response = (description: string, content: Json, headers = ['X-Request-Id']): Json => ({
  description,
  headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  content,
});

/** A JSON response. The schema has an `id`; the examples are by name. */
export function jsonResponse(
  description: string,
  schema: z.ZodType,
  examples: Record<string, unknown>,
  headers?: string[],
): Json {
  const content = {
    schema: { $ref: `#/components/schemas/${schema.meta()?.id}` },
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  };
  return response(description, { 'application/json': content }, headers);
}

/** The error with the example values of the catalog. */
export function exampleOf(code: ErrorCode): HttpError {
  const { example } = catalogEntry(code);
  return new HttpError(code, example && { values: example });
}

/** The responses for the given errors, one entry per status, each error with an example. */
export function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes.map(exampleOf), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      status,
      jsonResponse(
        `${STATUS_CODES[status] ?? ''}: ${errors.map(({ code }) => `\`${code}\``).join(', ')}`,
        status === 429 ? rateLimitedBodySchema : errorBodySchema,
        Object.fromEntries(errors.map((error) => [error.code, error.body('en')])),
        [
          ...(errors.some(({ retryAfter }) => retryAfter !== undefined) ? ['Retry-After'] : []),
          ...(status === 405 ? ['Allow'] : []),
        ],
      ),
    ]),
  );
}

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
