import { z } from 'zod';
import { bugs, version, type Config } from '../config/settings.js';
import { decodeRequests, perWindow } from '../errors/amounts.js';
import type { ErrorCode } from '../errors/catalog.js';
import { statusSchema, type Status } from '../status/status.js';
import {
  componentSchemas,
  errorResponses,
  HEADERS,
  jsonResponse,
  response,
  type Json,
} from './building-blocks.js';
import { decodePath } from './decode-path.js';

const alive = z.literal(true).meta({ description: 'The process answers', example: true });
const healthSchema = z.strictObject({ alive }).meta({ id: 'Health' });

const READY: Status = {
  jre: { installed: true, version: '11.0.25', valid: true },
  ring: { installed: true, version: '0.19.5-12', valid: true },
  ready: true,
};
const NOT_READY: Status = {
  ...READY,
  ring: { installed: false, version: '', valid: false },
  ready: false,
};

const COMMON_ERRORS: ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
];

const STATUS_HEADERS = [
  'X-Request-Id',
  'Cache-Control',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

/** A path that only has GET. */
const getPath = (operation: Json, responses: Json): Json => ({
  get: { ...operation, responses: { ...responses, ...errorResponses(COMMON_ERRORS) } },
});

/** The OpenAPI 3.1 document of the service, with its limit, and the schemas and error texts of the code. */
export function openApiDocument({ RATE_LIMIT_MAX, RATE_LIMIT_WINDOW_SECONDS }: Config): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'License decoder',
      version,
      summary: 'Decodes license files of the 1C:Enterprise platform',
      description:
        'Upload a `.lic` file and get what it says. Without a token, the limit is ' +
        `${decodeRequests(RATE_LIMIT_MAX).en} ${perWindow(RATE_LIMIT_WINDOW_SECONDS).en} for each IPv4 address or IPv6 /56.\n\n` +
        'Every answer has the headers `X-Request-Id` and `Cache-Control: no-store`. Every error has the body ' +
        '`{ "error": "<code>", "message": "<text>" }`, with the message in English or Russian by `Accept-Language`; ' +
        '`Content-Language` says which. If the request could not be read up to the end of its headers, the message is English. ' +
        'A path that is not listed here answers 404 `not_found`, another method of a ' +
        'listed path 405 `method_not_allowed`. HEAD works wherever GET does.',
      contact: { name: 'Issues of License decoder', url: bugs },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // From the address of this document, which a proxy may have put below a path.
    servers: [{ url: '..', description: 'This service' }],
    tags: [
      { name: 'Decoding', description: 'What the service is for' },
      { name: 'Reference', description: 'This description of the API' },
      { name: 'Operation', description: 'For load balancers and monitoring' },
    ],
    security: [],
    paths: {
      '/api/decode': decodePath(),
      '/api/status': getPath(
        {
          operationId: 'getStatus',
          summary: 'Whether decodes can be expected to work',
          description:
            'The status is answered from memory, without a limit. A load balancer only needs the status code.\n\n' +
            'Without a valid token, `X-RateLimit-*` say what is left of the limit of the client that asks, and asking ' +
            'does not count. Before the first decode of a window, `X-RateLimit-Reset` is the length of a window. These ' +
            'headers are left out while Redis, where replicas count together, does not answer at once.\n\n' +
            'With a token, an answer without `WWW-Authenticate` says that the token is accepted.',
          tags: ['Operation'],
          security: [{}, { token: [] }],
        },
        {
          200: jsonResponse('Ready', statusSchema, { ready: READY }, STATUS_HEADERS),
          503: jsonResponse(
            'Not ready: a tool is missing, too old or does not answer, files cannot be written, or the service is stopping',
            statusSchema,
            { notReady: NOT_READY },
            STATUS_HEADERS,
          ),
        },
      ),
      '/api/docs': getPath(
        {
          operationId: 'getApiDocs',
          summary: 'The OpenAPI document',
          description:
            'Describes the service that answers it, with the limit that is set there. For generators of clients and for ' +
            'tools such as Postman. `/docs` shows it to people, unless the pages are switched off.',
          tags: ['Reference'],
        },
        { 200: response('OpenAPI 3.1', { 'application/json': { schema: { type: 'object' } } }) },
      ),
      '/healthz': getPath(
        {
          operationId: 'getHealth',
          summary: 'Whether the process answers',
          description: 'For restarting a process that hangs. Says nothing about ring.',
          tags: ['Operation'],
        },
        { 200: jsonResponse('It answers', healthSchema, { alive: { alive: true } }) },
      ),
    },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            "A JSON Web Token, signed by HS256 with the service's secret, whose text is the key, not decoded from base64. It lifts the limit. All claims are optional.",
        },
      },
      schemas: componentSchemas(),
      headers: HEADERS,
    },
  };
}
