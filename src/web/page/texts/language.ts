import { signal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import type { Problem } from '../model/problem.js';
import { isKnownCode, textsIn, type Tell } from './texts.js';

/** The language of the page. */
export const language = signal<Language>('en');

/** Tells a text in the language of the page; what shows it is updated when that changes. */
export const t: Tell = (key, values) => textsIn(language.value)(key, values);

/** A problem in words. */
export interface ToldProblem {
  text: string;
  language: Language;
  /** For the administrator, when the service is at fault. */
  requestId: string | null;
}

/** Tells a problem in the language of the page, or in the one in which it came when the page has no words for it. */
export function tell(problem: Problem): ToldProblem {
  if ('key' in problem) {
    return { text: t(problem.key, problem.values), language: language.value, requestId: null };
  }

  const { code, sentence, requestId } = problem;
  if (isKnownCode(code)) return { text: t(code), language: language.value, requestId };
  return { text: sentence, language: problem.language, requestId };
}
