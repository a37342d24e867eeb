import { computed, signal } from '@preact/signals';
import { TOKEN_PROBLEMS, type TokenProblem } from '../../../errors/token-problems.js';

/** Seconds to wait after a 429 that does not say how long. */
const DEFAULT_WAIT = 60;

/** What an answer of the service tells about the limit and the token. */
export interface AccessAnswer {
  status: number;
  headers: Headers;
  /** Whether the service itself gave it, and nothing kept it from doing so: only then it has accepted the token. */
  isDecision: boolean;
}

/** What is left of the limit of a client without a token. */
export interface Quota {
  limit: number;
  remaining: number;
  /** When the whole limit is available again, in milliseconds since the epoch. */
  resetAt: number;
}

/** The token, in memory only, and what is left of the limit without one. */
export class Access {
  readonly quota;
  /** The token that the service has accepted. */
  readonly token = signal<string | undefined>();
  /** A token that was entered and is not accepted yet. The one before stays until it is. */
  readonly candidate = signal<string | undefined>();
  /** Whether the service is being asked about that one, which is sent with no file meanwhile: a file would count. */
  readonly isChecking = signal(false);
  /** Why the last token was not accepted. */
  readonly problem = signal<TokenProblem | 'malformed' | undefined>();
  /** Whether there is a field for a token: when the user wants one, and when one was refused. */
  readonly isAsked = signal(false);
  /** The token to send. */
  readonly current = computed(() =>
    this.isChecking.value ? this.token.value : (this.candidate.value ?? this.token.value),
  );
  /** Whether the service is known to set no limit. */
  readonly isUnlimited = computed(() => this.token.value !== undefined && this.candidate.value === undefined);

  /** @param limit files per window without a token */
  constructor(limit: number) {
    this.quota = signal<Quota>({ limit, remaining: limit, resetAt: 0 });
  }

  /**
   * Takes a token that the user entered, to be checked.
   * @returns the token if it can be one; else nothing changes
   */
  offer(text: string): string | undefined {
    const token = text.trim().replace(/^Bearer\s+/i, '');
    const isWhole = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
    if (isWhole) [this.candidate.value, this.isChecking.value] = [token, true];
    else this.isAsked.value = true;
    this.problem.value = isWhole ? undefined : 'malformed';
    return isWhole ? token : undefined;
  }

  forget(): void {
    this.isChecking.value = false;
    this.token.value = this.candidate.value = this.problem.value = undefined;
    this.isAsked.value = false;
  }

  /** How many files the service would read now, as far as the page knows. */
  left(now: number): number {
    const { limit, remaining, resetAt } = this.quota.value;
    if (this.current.value !== undefined) return Infinity;
    return now < resetAt ? remaining : limit;
  }

  /**
   * Learns what is left, and whether a token is accepted. When an answer does not say that of the one that is being
   * checked, the next file does.
   * @param sent the token that the request had
   */
  learn(sent: string | undefined, { status, headers, isDecision }: AccessAnswer, now: number): void {
    const number = (name: string) => Number(headers.get(name));
    if (headers.has('X-RateLimit-Limit')) {
      const seconds = number('X-RateLimit-Reset') || DEFAULT_WAIT;
      this.quota.value = {
        limit: number('X-RateLimit-Limit'),
        remaining: status === 429 ? 0 : number('X-RateLimit-Remaining'),
        resetAt: now + 1000 * seconds,
      };
    } else if (status === 429) {
      const seconds = number('Retry-After') || DEFAULT_WAIT;
      this.quota.value = { ...this.quota.value, remaining: 0, resetAt: now + 1000 * seconds };
    }
    // What was sent before the token was changed says nothing.
    if (sent === undefined || (sent !== this.candidate.value && sent !== this.current.value)) return;
    const isCandidate = sent === this.candidate.value;
    if (isCandidate) this.isChecking.value = false;
    const reason = /error_description="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1];
    if (reason !== undefined) {
      const known = Object.keys(TOKEN_PROBLEMS) as TokenProblem[];
      this.isAsked.value = true;
      this.problem.value = known.find((problem) => TOKEN_PROBLEMS[problem].en === reason) ?? 'invalid';
      if (isCandidate) this.candidate.value = undefined;
      else this.token.value = undefined;
    } else if (isDecision && isCandidate) {
      this.token.value = sent;
      this.isAsked.value = false;
      this.candidate.value = this.problem.value = undefined;
    }
  }
}
