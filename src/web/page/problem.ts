import { catalogEntry, ERROR_CODES, type Language } from '../../errors/catalog.js';
import { textsIn, type TextKey, type TextValues } from './texts.js';

/** Why something did not work, in a form that can be told in either language later. */
export type Problem =
  | { key: TextKey; values?: TextValues }
  | {
      /** What the API answered, in the language in which it was asked. */
      code: string;
      message: string;
      language: Language;
      /** For the administrator, when the service is at fault. */
      requestId: string | null;
    };

/** What to tell the user, and its language where that is not the wanted one. */
export function tellProblem(problem: Problem, language: Language): { text: string; language: Language } {
  if ('key' in problem) return { text: textsIn(language)(problem.key, problem.values), language };
  if (problem.language === language) return { text: problem.message, language };
  const text = translate(problem.code, problem.message, problem.language, language);
  return text === undefined ? { text: problem.message, language: problem.language } : { text, language };
}

/** The same message of the API in another language, with the values that it has. */
function translate(code: string, message: string, from: Language, to: Language): string | undefined {
  const known = ERROR_CODES.find((name) => name === code);
  if (known === undefined) return undefined;
  const entry = catalogEntry(known);
  const names: string[] = [];
  const pattern = entry[from]
    .split(/\{(\w+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(part);
      return '(.*)';
    })
    .join('');
  const values = new RegExp(`^${pattern}$`, 's').exec(message);
  if (!values) return undefined;
  return entry[to].replace(/\{(\w+)\}/g, (_, name: string) => values[names.indexOf(name) + 1] ?? '');
}
