import { TOKEN_PROBLEMS, type TokenProblem } from '../../errors/token-problems.js';
import type { Quota } from './waiting-time.js';

/** Seconds to wait after a 429 that does not say how long. */
const DEFAULT_WAIT = 60;

/** What an answer of the service tells about the limit and the token. */
export interface AccessAnswer {
  status: number;
  headers: Headers;
  /** Whether it is about the license in the file, so that nothing kept the service from reading it. */
  isDecision: boolean;
}

/** The token, in memory only, and what is left of the limit without one. */
export class Access {
  quota: Quota;
  /** The token that the service has accepted. */
  token: string | undefined;
  /** A token that was entered and is not checked yet. The one before stays until this one is accepted. */
  candidate: string | undefined;
  /** Why the last token was not accepted. */
  problem: TokenProblem | 'malformed' | undefined;

  /** @param limit files per window without a token */
  constructor(limit: number) {
    this.quota = { limit, remaining: limit, resetAt: 0 };
  }

  /** Takes a token that the user entered, to be checked with the next file. */
  offer(text: string): void {
    const token = text.trim().replace(/^Bearer\s+/i, '');
    const isWhole = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
    this.candidate = isWhole ? token : undefined;
    this.problem = isWhole ? undefined : 'malformed';
  }

  forget(): void {
    this.token = this.candidate = this.problem = undefined;
  }

  /** The token to send. */
  get current(): string | undefined {
    return this.candidate ?? this.token;
  }

  /** Whether the service is known to set no limit. */
  get isUnlimited(): boolean {
    return this.token !== undefined && this.candidate === undefined;
  }

  /** Whether the service would refuse another file now. */
  isUsedUp(now: number): boolean {
    const { limit, remaining, resetAt } = this.quota;
    return this.current === undefined && (limit === 0 || (remaining === 0 && now < resetAt));
  }

  /** @param sent the token that the request had */
  learn(sent: string | undefined, { status, headers, isDecision }: AccessAnswer, now: number): void {
    const number = (name: string) => Number(headers.get(name));
    if (headers.has('X-RateLimit-Limit')) {
      const seconds = number('X-RateLimit-Reset') || DEFAULT_WAIT;
      this.quota = {
        limit: number('X-RateLimit-Limit'),
        remaining: number('X-RateLimit-Remaining'),
        resetAt: now + 1000 * seconds,
      };
    } else if (status === 429) {
      const seconds = number('Retry-After') || DEFAULT_WAIT;
      this.quota = { ...this.quota, remaining: 0, resetAt: now + 1000 * seconds };
    }
    if (sent === undefined || sent !== this.current) return;
    const reason = /error_description="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1];
    if (reason !== undefined) {
      const known = Object.keys(TOKEN_PROBLEMS) as TokenProblem[];
      this.problem = known.find((problem) => TOKEN_PROBLEMS[problem].en === reason) ?? 'invalid';
      if (sent === this.candidate) this.candidate = undefined;
      else this.token = undefined;
    } else if (isDecision && sent === this.candidate) {
      this.token = sent;
      this.candidate = this.problem = undefined;
    }
  }
}
