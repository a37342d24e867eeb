import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Config } from '../config.js';
import { decodeResultSchema } from '../decode/result.js';
import { ERROR_CODES, errorBodySchema, exampleOf, rateLimitedBodySchema, type ErrorCode } from '../errors.js';
import { MAX_FILE_BYTES } from '../middleware/upload.js';
import { statusSchema, type Status } from '../status/readiness.js';

type Json = Record<string, unknown>;

/** What `GET /healthz` answers. */
export const healthSchema = z.strictObject({ alive: z.literal(true) });

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** zod writes JSON Schema 2020-12, which is OpenAPI 3.1's own dialect. */
function schemaOf(schema: z.ZodType): Json {
  const json: Json = z.toJSONSchema(schema);
  delete json['$schema'];
  return json;
}

function headers(...names: string[]): Json {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, ref('headers', name)]));
}

/** Sent with every answer to an anonymous decode request. */
const QUOTA = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const DECODE = ['Cache-Control', 'WWW-Authenticate', ...QUOTA];

const WITH_RETRY_AFTER = new Set<ErrorCode>([
  'rate_limited',
  'queue_full',
  'storage_unavailable',
  'shutting_down',
]);

/** One entry for each status of the given errors, each error with its example. */
function errorResponses(codes: readonly ErrorCode[], headerNames: string[]): Json {
  const responses: Json = {};
  for (const status of new Set(codes.map((code) => exampleOf(code).status))) {
    const errors = codes.map(exampleOf).filter((error) => error.status === status);
    const names = [
      ...headerNames,
      ...(errors.some(({ code }) => WITH_RETRY_AFTER.has(code)) ? ['Retry-After'] : []),
      ...(status === 405 ? ['Allow'] : []),
    ];
    responses[status] = {
      description: `${STATUS_CODES[status] ?? ''}: ${errors.map(({ code }) => `\`${code}\``).join(', ')}`,
      headers: headers(...names),
      content: {
        'application/json': {
          schema: ref('schemas', status === 429 ? 'RateLimited' : 'Error'),
          examples: Object.fromEntries(errors.map((error) => [error.code, { value: error.body }])),
        },
      },
    };
  }
  return responses;
}

function jsonResponse(description: string, schema: string, example: unknown, headerNames: string[]): Json {
  return {
    description,
    headers: headers(...headerNames),
    content: {
      'application/json': { schema: ref('schemas', schema), examples: { typical: { value: example } } },
    },
  };
}

const ANYWHERE: ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
];

const EXAMPLE = {
  licName: '332588056123456-8100123456',
  pinCode: '332-588-056-123-456',
  licData:
    'Информация о пользователе:\n    Имя: Иван\n    Фамилия: Иванов\nИнформация о продукте:\n    Регистрационный номер: 8100123456',
  validateData:
    'Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры компьютера не соответствуют лицензии:\n' +
    '    Имя компьютера: SRV-OLD (в лицензии), app-7f9c (текущее)',
  licHWConfig: null,
  currentHWConfig: null,
};

const READY: Status = {
  jre: { installed: true, version: '11.0.25', valid: true },
  ring: { installed: true, version: '0.19.5-12', valid: true },
  ready: true,
};

const NOT_READY: Status = { ...READY, ring: { installed: false, version: '', valid: false }, ready: false };

/**
 * The OpenAPI 3.1 document of this service, with the limit it is run with. Schemas and error texts are
 * those the code itself uses.
 */
export function openApiDocument({ RATE_LIMIT_MAX, RATE_LIMIT_WINDOW_SECONDS }: Config): Json {
  const decodeErrors = ERROR_CODES.filter((code) => code !== 'not_found');
  return {
    openapi: '3.1.0',
    info: {
      title: 'License decoder',
      version: '1.0.0',
      summary: 'Decodes licence files of the 1C:Enterprise platform',
      description:
        `Upload a \`.lic\` file and get what it says. Without a token ${RATE_LIMIT_MAX} decodes in ${RATE_LIMIT_WINDOW_SECONDS} ` +
        'seconds are possible from one IP address.\n\nEvery error has the body `{ "error": "<code>", "message": "<text>" }`. ' +
        'Any path that is not listed here answers 404 `not_found`, any other method of a listed path 405 `method_not_allowed`; ' +
        'HEAD is possible wherever GET is. Not listed are `/`, which leads to `/docs`, and the files of that page.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [
      { name: 'Decoding', description: 'What the service is for' },
      { name: 'Reference', description: 'This description of the API, for people and for tools' },
      { name: 'Operation', description: 'For load balancers and tools' },
    ],
    security: [],
    paths: {
      '/api/decode': {
        post: {
          operationId: 'decode',
          summary: 'Decode a licence file',
          description:
            'Every anonymous request counts towards the limit, whatever its outcome, and is decided before the upload is read. ' +
            'A token that is not valid is told so in `WWW-Authenticate`, and the request goes on as an anonymous one.',
          tags: ['Decoding'],
          security: [{}, { token: [] }],
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: ['license'],
                  properties: {
                    license: {
                      type: 'string',
                      format: 'binary',
                      description: `The licence file, its name ending in .lic, at most ${MAX_FILE_BYTES} bytes`,
                    },
                    detailed: {
                      type: 'string',
                      description: 'Exactly `true` adds both hardware configurations; anything else does not',
                      examples: ['true'],
                    },
                  },
                },
                encoding: { license: { contentType: 'application/octet-stream' } },
              },
            },
          },
          responses: {
            200: jsonResponse('The licence, decoded', 'DecodeResult', EXAMPLE, DECODE),
            ...errorResponses(decodeErrors, DECODE),
          },
        },
      },
      '/api/status': {
        get: {
          operationId: 'status',
          summary: 'Whether decodes can be expected to work',
          description: 'Answered from memory; never limited. A load balancer needs only the status code.',
          tags: ['Operation'],
          responses: {
            200: jsonResponse('Ready', 'Status', READY, ['Cache-Control']),
            503: jsonResponse(
              'Not ready: a tool is missing or too old, or the service is being stopped',
              'Status',
              NOT_READY,
              ['Cache-Control'],
            ),
            ...errorResponses(ANYWHERE, []),
          },
        },
      },
      '/api/docs': {
        get: {
          operationId: 'docs',
          summary: 'The OpenAPI document',
          tags: ['Reference'],
          responses: {
            200: {
              description: 'OpenAPI 3.1',
              headers: headers(),
              content: { 'application/json': { schema: { type: 'object' } } },
            },
            ...errorResponses(ANYWHERE, []),
          },
        },
      },
      '/docs': {
        get: {
          operationId: 'page',
          summary: 'The API as a page, on which a file can be tried',
          tags: ['Reference'],
          responses: {
            200: {
              description: 'The page; it needs JavaScript, and no other host',
              headers: headers(),
              content: { 'text/html': { schema: { type: 'string' } } },
            },
            ...errorResponses(ANYWHERE, []),
          },
        },
      },
      '/healthz': {
        get: {
          operationId: 'health',
          summary: 'Whether the process serves',
          description: 'For restarting a process that hangs; says nothing about ring.',
          tags: ['Operation'],
          responses: {
            200: jsonResponse('It serves', 'Health', { alive: true }, []),
            ...errorResponses(ANYWHERE, []),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            "A JSON Web Token signed by HS256 with the service's secret. It lifts the limit; its claims are free, its expiry optional.",
        },
      },
      schemas: {
        DecodeResult: schemaOf(decodeResultSchema),
        Status: schemaOf(statusSchema),
        Health: schemaOf(healthSchema),
        Error: schemaOf(errorBodySchema),
        RateLimited: schemaOf(rateLimitedBodySchema),
      },
      headers: {
        'X-Request-Id': {
          required: true,
          description: "Id of the request in the service's log: the client's own if it sent a sane one",
          schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
        },
        'Cache-Control': {
          required: true,
          description: 'Nothing here may be stored',
          schema: { const: 'no-store' },
        },
        Allow: { required: true, description: 'Methods that the path takes', schema: { type: 'string' } },
        'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
        'WWW-Authenticate': {
          description: 'Why the token is not valid',
          schema: { type: 'string', pattern: '^Bearer error="invalid_token", error_description="' },
        },
        'X-RateLimit-Limit': {
          description: 'Requests in one window; only without a valid token',
          schema: { type: 'integer', minimum: 0 },
        },
        'X-RateLimit-Remaining': {
          description: 'Requests left in this window; only without a valid token',
          schema: { type: 'integer', minimum: 0 },
        },
        'X-RateLimit-Reset': {
          description: 'Seconds until the window ends; only without a valid token',
          schema: { type: 'integer', minimum: 1 },
        },
      },
    },
  };
}
