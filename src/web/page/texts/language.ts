import { signal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import type { Problem, ToldProblem } from '../model/problem.js';
import { textsIn, type Tell } from './texts.js';

/** The language of the page. */
export const language = signal<Language>('en');

/** Tells a text in the language of the page; what shows it is updated when that changes. */
export const t: Tell = (key, values) => textsIn(language.value)(key, values);

/** A problem in words: those of the service in its language, the page's own in that of the page. */
export const tell = (problem: Problem): ToldProblem =>
  'key' in problem
    ? { text: t(problem.key, problem.values), language: language.value, requestId: null }
    : problem;
