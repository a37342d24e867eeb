import type { DecodeResult } from '../../decode/response-schema.js';
import type { ErrorBody } from '../../errors/http-error.js';
import { TOKEN_PROBLEMS, type TokenProblem } from '../../errors/token-problems.js';
import type { StructuredLicense } from '../../license/schema.js';
import { language, t } from './language.js';

/** The answer with `structured=true`. */
export type Decoded = DecodeResult & { structured: StructuredLicense };

export interface Failure {
  name: 'failed';
  text: () => string;
  /** Language of a text that came from the API. */
  lang?: string;
  /** For the administrator, when the service is at fault. */
  requestId?: string | null;
  canRetry: boolean;
}

export type Outcome = { name: 'done'; result: Decoded } | Failure | { name: 'limited' };

/** The limit of the service (MAX_FILE_BYTES in src/decode/upload.ts). */
const MAX_FILE_BYTES = 5_242_880;
/** Seconds to wait after a 429 that does not say how long. */
const DEFAULT_WAIT = 60;

/** Sends files to the API. Holds the token, in memory only, and what is left of the limit. */
export class Connection {
  quota = { limit: 0, remaining: 0 };
  /** When the quota is renewed, in milliseconds since the epoch. */
  resetAt = 0;
  token: string | undefined;
  /** Why the last token was not accepted. */
  tokenProblem: TokenProblem | undefined;

  useToken(text: string): void {
    const token = text.trim().replace(/^Bearer\s+/i, '');
    // Other characters may not even get into a header.
    const isSendable = /^[\w.~+/=-]+$/.test(token);
    this.token = isSendable ? token : undefined;
    this.tokenProblem = isSendable ? undefined : 'invalid';
  }

  decode = async (file: File, signal: AbortSignal): Promise<Outcome> => {
    const refusal = refusalOf(file);
    if (refusal) return { name: 'failed', text: () => t(refusal), canRetry: false };
    const body = new FormData();
    body.append('detailed', 'true');
    body.append('structured', 'true');
    body.append('license', file);
    const { token } = this;
    const headers = { 'Accept-Language': language(), ...(token && { Authorization: `Bearer ${token}` }) };
    let response: Response;
    let answer: Partial<Decoded & ErrorBody>;
    try {
      response = await fetch('/api/decode', { method: 'POST', body, headers, signal });
      answer = (await response.json().catch(() => ({}))) as typeof answer;
    } catch {
      return { name: 'failed', text: () => t('noAnswer'), canRetry: true };
    }
    this.readHeaders(response, token);
    const { ok, status } = response;
    if (ok && answer.structured) return { name: 'done', result: answer as Decoded };
    if (status === 429) return { name: 'limited' };
    const { message } = answer;
    const isFault = status >= 500;
    return {
      name: 'failed',
      text: () => message ?? t('badAnswer', { status }),
      ...(message !== undefined && { lang: response.headers.get('Content-Language') ?? 'en' }),
      requestId: isFault ? response.headers.get('X-Request-Id') : null,
      canRetry: isFault || status === 408 || message === undefined,
    };
  };

  /** @param token the one that was sent */
  private readHeaders({ headers, status }: Response, token: string | undefined): void {
    const number = (name: string) => Number(headers.get(name));
    if (headers.has('X-RateLimit-Limit') || status === 429) {
      this.quota = { limit: number('X-RateLimit-Limit'), remaining: number('X-RateLimit-Remaining') };
      this.resetAt = Date.now() + 1000 * (number('X-RateLimit-Reset') || DEFAULT_WAIT);
    }
    if (token === undefined || token !== this.token) return;
    const reason = /error_description="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1];
    if (reason === undefined) return;
    const known = Object.keys(TOKEN_PROBLEMS) as TokenProblem[];
    this.tokenProblem = known.find((problem) => TOKEN_PROBLEMS[problem].en === reason) ?? 'invalid';
    this.token = undefined;
  }
}

/** What the API would refuse is not sent: it would count towards the limit. */
function refusalOf({ name, size }: File) {
  if (!/\.lic$/i.test(name)) return 'notLic';
  if (size === 0) return 'emptyFile';
  return size > MAX_FILE_BYTES ? 'tooLarge' : undefined;
}
