import type { ErrorCode, Language } from '../../../errors/catalog.js';

/** Why the token that was in use is no longer. */
export type LostToken = 'tokenHasExpired' | 'tokenIsLost';

/** What the page noticed itself; the key of a text. */
export interface OwnProblem {
  key:
    | 'noAnswer'
    | 'notTheService'
    | 'notUnderstood'
    | 'ring_unavailable'
    | 'ringHangs'
    | 'damagedOrNew'
    | LostToken;
  values?: Record<string, string | number>;
}

/** What the service said. Codes that the page knows are told in its own words, the others by the sentence. */
export interface ServiceProblem {
  code: ErrorCode;
  sentence: string;
  /** Of the sentence. */
  language: Language;
  /** For the administrator, when the service is at fault. */
  requestId: string | null;
}

/** Why something did not work. The words are chosen when it is shown, in the language of the page. */
export type Problem = OwnProblem | ServiceProblem;
