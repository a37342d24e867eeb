import { version, type Config } from '../config/settings.js';
import { decodePath } from './decode-path.js';
import { healthPath, statusPath } from './status-paths.js';
import { windowText } from '../rate-limit/anonymous-rate-limit.js';
import {
  COMMON_ERRORS,
  componentSchemas,
  errorResponses,
  headers,
  HEADERS,
  type Json,
} from './building-blocks.js';

/** A path that only has GET and answers with something other than the API's own schemas. */
function referencePath(operationId: string, summary: string, description: string, content: Json): Json {
  return {
    get: {
      operationId,
      summary,
      tags: ['Reference'],
      responses: {
        200: { description, headers: headers('X-Request-Id'), content },
        ...errorResponses(COMMON_ERRORS),
      },
    },
  };
}

/** The OpenAPI 3.1 document of the service with its present limit. Schemas and error texts are those of the code. */
export function openApiDocument({ RATE_LIMIT_MAX, RATE_LIMIT_WINDOW_SECONDS, WEB_UI }: Config): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'License decoder',
      version,
      summary: 'Decodes license files of the 1C:Enterprise platform',
      description:
        'Upload a `.lic` file and get what it says. Without a token, the limit is ' +
        `${RATE_LIMIT_MAX} decodes ${windowText(RATE_LIMIT_WINDOW_SECONDS).en} for each IPv4 address or IPv6 /56.\n\n` +
        'Every answer has the header `X-Request-Id`. Every error has the body ' +
        '`{ "error": "<code>", "message": "<text>" }`, with the message in English or Russian by `Accept-Language`; ' +
        '`Content-Language` says which. A path that is not listed here answers 404 `not_found`, another method of a ' +
        'listed path 405 `method_not_allowed`. HEAD works wherever GET does.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [
      { name: 'Decoding', description: 'What the service is for' },
      { name: 'Reference', description: 'This description of the API, for people and for tools' },
      { name: 'Operation', description: 'For load balancers and monitoring' },
    ],
    security: [],
    paths: {
      '/api/decode': decodePath(),
      '/api/status': statusPath(),
      '/api/docs': referencePath('getApiDocs', 'The OpenAPI document', 'OpenAPI 3.1', {
        'application/json': { schema: { type: 'object' } },
      }),
      ...(WEB_UI === 'on' && {
        '/docs': referencePath(
          'getDocsPage',
          'The API reference as a page, where a file can be tried',
          'The page; it needs JavaScript and no other host',
          { 'text/html': { schema: { type: 'string' } } },
        ),
      }),
      '/healthz': healthPath(),
    },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            "A JSON Web Token, signed by HS256 with the service's secret. It lifts the limit. All claims are optional.",
        },
      },
      schemas: componentSchemas(),
      headers: HEADERS,
    },
  };
}
