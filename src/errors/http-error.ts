import { z } from 'zod';
import { seconds } from './amounts.js';
import { catalogEntry, ERROR_CODES, type ErrorCode, type Language, type MessageValue } from './catalog.js';

/** The body of every error except the 429, which has one more field. */
export const errorBodySchema = z
  .strictObject({
    error: z.enum(ERROR_CODES).meta({ description: 'Stable code', example: 'queue_full' }),
    message: z.string().meta({
      description: 'What is wrong and what to do, for people',
      example: 'The queue is full. Try again in 5 seconds.',
    }),
  })
  .meta({ id: 'Error' });

/** The body of a 429. */
export const rateLimitedBodySchema = errorBodySchema
  .extend({
    error: z.literal('rate_limited').meta({ description: 'Stable code', example: 'rate_limited' }),
    retryAfter: z
      .int()
      .min(1)
      .meta({ description: 'Seconds until the window ends, as in X-RateLimit-Reset', example: 1800 }),
  })
  .meta({ id: 'RateLimited' });

export type ErrorBody = z.output<typeof errorBodySchema> | z.output<typeof rateLimitedBodySchema>;

interface HttpErrorOptions {
  /** Values for the `{name}`s of the message. */
  values?: Record<string, MessageValue>;
  /** Replaces the catalog's message. */
  text?: Record<Language, string>;
  /** For the log only. Never a token, or the text or name of a license. Output of ring must have been redacted. */
  detail?: string;
  /** Seconds for Retry-After, the message's `{wait}` and the body of a 429, where the catalog's figure does not fit. */
  retryAfter?: number;
  /** Leaves out Retry-After, which would make clients try again in vain. The body of a 429 has its seconds all the same. */
  withoutRetryAfter?: boolean;
}

/** An error response: a code and a message for the caller, a detail for the log. */
export class HttpError extends Error {
  readonly status: number;
  readonly detail: string | undefined;
  /** Seconds for the header Retry-After, which is left out where this is undefined. */
  readonly retryAfter: number | undefined;
  private readonly text: Record<Language, string>;
  private readonly values: Record<string, MessageValue>;
  /** Seconds to wait. */
  private readonly wait: number | undefined;

  constructor(
    readonly code: ErrorCode,
    options: HttpErrorOptions = {},
  ) {
    super(code);
    const entry = catalogEntry(code);
    this.status = entry.status;
    this.text = options.text ?? entry;
    this.detail = options.detail;
    this.wait = options.retryAfter ?? entry.retryAfter;
    const hasHeader = options.withoutRetryAfter !== true;
    this.retryAfter = hasHeader ? this.wait : undefined;

    this.values = { ...options.values };
    if (this.wait !== undefined) this.values['wait'] = seconds(this.wait);
  }

  /** The body of the response, in a language of the messages. */
  body(language: Language): ErrorBody {
    const message = this.messageIn(language);
    if (this.code === 'rate_limited' && this.wait !== undefined) {
      return { error: this.code, message, retryAfter: this.wait };
    }
    return { error: this.code, message };
  }

  private messageIn(language: Language): string {
    const template = this.text[language];
    return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = this.values[name] ?? placeholder;
      const words = typeof value === 'object' ? value[language] : value;
      return String(words);
    });
  }
}
