import { errorResponses, exampleOf, HEADERS, jsonResponse, type Json } from './building-blocks.js';
import { ERROR_CODES } from '../errors/catalog.js';
import { MAX_FILE_BYTES } from '../license/clear-text.js';
import { structureLicense } from '../license/structured-license.js';
import { decodeResultSchema, type DecodeResult } from '../decode/response-schema.js';

/** Headers of every answer of this path; the quota only without a valid token. */
const COMMON_HEADERS = Object.keys(HEADERS).filter((name) => name !== 'Allow' && name !== 'Retry-After');

/** The service and a reverse proxy both give this status, so the code can be one that the service does not know. */
const BAD_GATEWAY = {
  description:
    'Bad Gateway: `ring_crashed`. A reverse proxy gives this status too, when no replica answers; with the nginx.conf ' +
    'of this project the error is then `service_unreachable`. ' +
    'nginx also answers 413, 503 and 504 itself, without the headers of the service.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error', 'message'],
        properties: {
          error: { type: 'string', description: 'Stable code', example: 'service_unreachable' },
          message: { type: 'string', description: 'What is wrong and what to do, for people' },
        },
      },
      examples: { ring_crashed: { value: exampleOf('ring_crashed').body('en') } },
    },
  },
};

/** A field with any text. The API reference offers the first alternative as a choice, clients get it as a type. */
const flag = (description: string): Json => ({
  anyOf: [{ type: 'boolean' }, { type: 'string' }],
  default: false,
  description,
});

const REQUEST_SCHEMA = {
  type: 'object',
  required: ['license'],
  properties: {
    license: {
      type: 'string',
      format: 'binary',
      description: `The license file; its name ends in .lic, its size is at most ${MAX_FILE_BYTES} bytes (5 MB)`,
    },
    detailed: flag(
      'Exactly `true` adds both hardware configurations; anything else does not. If it is repeated, one `true` is enough',
    ),
    structured: flag(
      'Exactly `true` adds `structured`, what the license says as data; anything else does not',
    ),
  },
};

/** An answer made of the examples of its fields, and the same with `detailed=true` and `structured=true`. */
function examples(): Record<string, DecodeResult> {
  const values: Json = {};
  for (const [name, field] of Object.entries(decodeResultSchema.shape)) {
    values[name] = field.meta()?.['example'];
  }
  const plain = values as DecodeResult;

  const licHWConfig = 'OS name : Windows Server 2019\nComputer name : SRV-OLD';
  const currentHWConfig = 'OS name : Linux\nComputer name : app-7f9c';
  const structured = structureLicense({
    pin: plain.pinCode.replaceAll('-', ''),
    registrationNumber: '8100123456',
    previousPin: '332588056654321',
    info: plain.licData,
    valid: false,
    file: Buffer.from('TGljZW5zZQ==\nТип лицензии: клиент\nСрок действия: 31.12.2026\n'),
    hardware: { license: licHWConfig, current: currentHWConfig },
  });
  return { plain, detailedAndStructured: { ...plain, licHWConfig, currentHWConfig, structured } };
}

/** The path `/api/decode` of the OpenAPI document. */
export function decodePath(): Json {
  return {
    post: {
      operationId: 'decodeLicense',
      summary: 'Decode a license file',
      description:
        'Every anonymous request counts towards the limit before the upload is read, regardless of its outcome, except with ' +
        '`cross_site_request` and `queue_full`. ' +
        'An invalid token is reported in `WWW-Authenticate`, and the request counts as anonymous.\n\n' +
        'Every answer of this service has the headers listed with 200.',
      tags: ['Decoding'],
      security: [{}, { token: [] }],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: REQUEST_SCHEMA,
            encoding: { license: { contentType: 'application/octet-stream' } },
          },
        },
      },
      responses: {
        200: jsonResponse('The decoded license', decodeResultSchema, examples(), COMMON_HEADERS),
        ...errorResponses(ERROR_CODES.filter((code) => code !== 'not_found')),
        502: BAD_GATEWAY,
      },
    },
  };
}
