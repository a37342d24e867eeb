import { z } from 'zod';
import { COMMON_ERRORS, errorResponses, jsonResponse, type Json } from './building-blocks.js';
import { statusSchema, type Status } from '../status/readiness.js';

/** What `GET /healthz` answers. */
const healthSchema = z
  .strictObject({ alive: z.literal(true).meta({ description: 'The process answers', example: true }) })
  .meta({ id: 'Health' });

const HEADERS = ['X-Request-Id', 'Cache-Control'];

const READY: Status = {
  jre: { installed: true, version: '11.0.25', valid: true },
  ring: { installed: true, version: '0.19.5-12', valid: true },
  ready: true,
};
const NOT_READY: Status = { ...READY, ring: { installed: false, version: '', valid: false }, ready: false };

/** `/api/status` of the OpenAPI document. */
export function statusPath(): Json {
  return {
    get: {
      operationId: 'getStatus',
      summary: 'Whether decodes can be expected to work',
      description: 'Answered from memory, without a limit. A load balancer only needs the status code.',
      tags: ['Operation'],
      responses: {
        200: jsonResponse('Ready', statusSchema, { ready: READY }, HEADERS),
        503: jsonResponse(
          'Not ready: a tool is missing or too old, or the service is stopping',
          statusSchema,
          { notReady: NOT_READY },
          HEADERS,
        ),
        ...errorResponses(COMMON_ERRORS),
      },
    },
  };
}

/** `/healthz` of the OpenAPI document. */
export function healthPath(): Json {
  return {
    get: {
      operationId: 'getHealth',
      summary: 'Whether the process answers',
      description: 'For restarting a process that hangs. Says nothing about ring.',
      tags: ['Operation'],
      responses: {
        200: jsonResponse('It answers', healthSchema, { alive: { alive: true } }, ['X-Request-Id']),
        ...errorResponses(COMMON_ERRORS),
      },
    },
  };
}
