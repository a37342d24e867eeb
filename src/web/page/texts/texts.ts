import type { Language } from '../../../errors/catalog.js';
import { formatNumber } from './format.js';
import { FRAME_TEXTS } from './frame-texts.js';
import { LICENSE_TEXTS } from './license-texts.js';
import { LIST_TEXTS } from './list-texts.js';
import { SERVICE_PROBLEM_TEXTS } from './problem-texts.js';

/**
 * The texts of the page in English and Russian; `format.ts` words times and lengths. `{name}` stands for a value, and
 * `{count|file|files}` for the form that a number asks for: one and other in English; one, few and many in Russian.
 */
const TEXTS = {
  ...FRAME_TEXTS,
  ...LIST_TEXTS,
  ...LICENSE_TEXTS,
  ...SERVICE_PROBLEM_TEXTS,
} satisfies Record<string, Record<Language, string>>;

/** What a license can be bound to. */
export const BINDINGS = { computer: 'bindingComputer', hardwareKey: 'bindingHardwareKey' } as const;

export type TextKey = keyof typeof TEXTS;
export type TextValues = Record<string, string | number>;

/** Tells a text in one language. */
export type Tell = (key: TextKey, values?: TextValues) => string;

/** The categories of `Intl.PluralRules`, in the order in which the forms stand in a text. */
const PLURALS = { en: ['one', 'other'], ru: ['one', 'few', 'many'] };

function makeTell(language: Language): Tell {
  const plurals = new Intl.PluralRules(language);
  const show = (value: string | number) =>
    typeof value === 'number' ? formatNumber(value, language) : value;
  return (key, values = {}) =>
    TEXTS[key][language].replace(
      /\{(\w+)(?:\|([^}]*))?\}/g,
      (placeholder, name: string, forms: string | undefined) => {
        const value = values[name];
        if (value === undefined) return placeholder;
        if (forms === undefined) return show(value);
        const category = plurals.select(Number(value));
        const index = PLURALS[language].indexOf(category);
        return forms.split('|')[index] ?? placeholder;
      },
    );
}

const TELL = { en: makeTell('en'), ru: makeTell('ru') };

/** The texts in a language. */
export const textsIn = (language: Language): Tell => TELL[language];

/** Whether the page has a text of its own for an error code of the service. */
export const isKnownCode = (code: string): code is keyof typeof SERVICE_PROBLEM_TEXTS =>
  Object.hasOwn(SERVICE_PROBLEM_TEXTS, code);
