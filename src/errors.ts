import { z } from 'zod';

interface Entry {
  status: number;
  /** What failed, why, and what to do; `{name}` stands for a value. */
  message: string;
  /** Values for the example in the API's documentation. */
  example?: Record<string, string | number>;
}

/** Every error the service answers with, by its stable code. */
const CATALOG = {
  not_multipart: {
    status: 400,
    message:
      'The request is no file upload. Send multipart/form-data with the .lic file in the field "license" (curl: -F license=@file.lic).',
  },
  malformed_body: {
    status: 400,
    message:
      'The form is cut off or malformed. Let curl, Postman or an HTTP library write the multipart body.',
  },
  file_missing: {
    status: 400,
    message:
      'There is no file in the field "license", or it came as text. Send the .lic file as a file (curl: -F license=@file.lic).',
  },
  unexpected_file: {
    status: 400,
    message:
      'There is more than one file, or one in another field. Send one .lic file in the field "license".',
  },
  wrong_file_name: {
    status: 400,
    message: "The file's name does not end in .lic. Upload the licence file as it is.",
  },
  unexpected_field: {
    status: 400,
    message:
      'The form has too many fields, or one whose name or value is not allowed. Send the file in "license" and, if wanted, detailed=true.',
  },
  bad_request: {
    status: 400,
    message:
      'The request can not be read: its path, its headers or its framing break the rules of HTTP/1.1. Send it with an HTTP library.',
  },
  not_found: {
    status: 404,
    message:
      'There is nothing at this path. The service answers at POST /api/decode and GET /api/status; ' +
      'GET /docs describes it to people, GET /api/docs to tools.',
  },
  method_not_allowed: {
    status: 405,
    message: '{method} is not possible here. Use {allow}.',
    example: { method: 'PUT', allow: 'POST' },
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive within {seconds} seconds. Send it again over a faster connection.',
    example: { seconds: 90 },
  },
  file_too_large: {
    status: 413,
    message:
      'The file is larger than {bytes} bytes (5 MB). A licence file has a few kilobytes: check that it is the right one.',
    example: { bytes: 5_242_880 },
  },
  file_empty: {
    status: 422,
    message: 'The file is empty. Upload the original .lic file.',
  },
  license_undecodable: {
    status: 422,
    message:
      'ring could not decode the file: it is damaged, is no 1C:Enterprise software licence, or is of a newer format than the ' +
      "service's ring knows. Check that it is the original .lic file; if it is, tell the operator.",
  },
  rate_limited: {
    status: 429,
    message:
      'Without a token at most {max} decodes {window} are possible from one address. Wait {seconds} seconds, or send a token.',
    example: { max: 3, window: 'an hour', seconds: 1800 },
  },
  headers_too_large: {
    status: 431,
    message: 'The headers are larger than {bytes} bytes. Send fewer or shorter ones.',
    example: { bytes: 16_384 },
  },
  internal_error: {
    status: 500,
    message:
      'The service failed unexpectedly. Try again; if it happens again, tell the operator the X-Request-Id of this answer.',
  },
  ring_unavailable: {
    status: 503,
    message:
      'The service could not run ring, the tool that decodes licences; the file is not the cause. Tell the operator: ' +
      "GET /api/status and the service's log show what is missing.",
  },
  queue_full: {
    status: 503,
    message: 'Too many decodes are waiting already. Try again in {seconds} seconds.',
    example: { seconds: 5 },
  },
  storage_unavailable: {
    status: 503,
    message:
      'The service can store no file at the moment. Try again in {seconds} seconds; if it happens again, tell the operator.',
    example: { seconds: 30 },
  },
  shutting_down: {
    status: 503,
    message: 'The service is being stopped or restarted. Try again in {seconds} seconds.',
    example: { seconds: 5 },
  },
  ring_timeout: {
    status: 504,
    message: 'ring did not finish in time and was ended. Try again; if it happens again, tell the operator.',
  },
  decode_timeout: {
    status: 504,
    message:
      'The decode took longer than {seconds} seconds, waiting included: the service is busy. Try again later.',
    example: { seconds: 55 },
  },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof CATALOG;

const entryOf = (code: ErrorCode): Entry => CATALOG[code];
export const ERROR_CODES = Object.keys(CATALOG) as [ErrorCode, ...ErrorCode[]];

/** The body of every error but the 429, which has one field more. */
export const errorBodySchema = z.strictObject({
  error: z.enum(ERROR_CODES).meta({ description: 'Stable code' }),
  message: z.string().meta({ description: 'What failed, why, and what to do' }),
});

/** The body of a 429. */
export const rateLimitedBodySchema = errorBodySchema.extend({
  error: z.literal('rate_limited').meta({ description: 'Stable code' }),
  retryAfter: z
    .int()
    .min(1)
    .meta({ description: 'Seconds to wait, as in Retry-After and X-RateLimit-Reset' }),
});

interface HttpErrorOptions {
  /** What the message's `{name}`s stand for. */
  values?: Record<string, string | number>;
  /** For the log only; never a licence's text or name, a token, or ring's output. */
  detail?: string;
  /** Seconds, sent as Retry-After; also the message's `{seconds}`. */
  retryAfter?: number;
}

/** An answer other than success: a code and a sentence for the caller, a detail for the log. */
export class HttpError extends Error {
  readonly status: number;
  readonly detail: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    { values, detail, retryAfter }: HttpErrorOptions = {},
  ) {
    const { status, message } = entryOf(code);
    const known: Record<string, string | number> = {
      ...(retryAfter !== undefined && { seconds: retryAfter }),
      ...values,
    };
    super(message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(known[name] ?? placeholder)));
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }

  /** The JSON body of the answer. */
  get body(): z.output<typeof errorBodySchema> | z.output<typeof rateLimitedBodySchema> {
    const { code, message, retryAfter } = this;
    return code === 'rate_limited' && retryAfter !== undefined
      ? { error: code, message, retryAfter }
      : { error: code, message };
  }
}

/** The error as the documentation shows it. */
export function exampleOf(code: ErrorCode): HttpError {
  const { example } = entryOf(code);
  const seconds = code === 'rate_limited' ? example?.['seconds'] : undefined;
  return new HttpError(code, {
    ...(example && { values: example }),
    ...(typeof seconds === 'number' && { retryAfter: seconds }),
  });
}
