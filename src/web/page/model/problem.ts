import type { Language } from '../../../errors/catalog.js';
import { language, t } from '../texts/language.js';
import type { TextKey, TextValues } from '../texts/texts.js';

/** Why something did not work, in the language in which it was told. */
export interface Problem {
  text: string;
  language: Language;
  /** For the administrator, when the service is at fault. */
  requestId: string | null;
}

/** A problem that the page itself noticed. */
export const problem = (key: TextKey, values?: TextValues): Problem => ({
  text: t(key, values),
  language: language.value,
  requestId: null,
});
