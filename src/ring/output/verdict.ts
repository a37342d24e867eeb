/** What `license validate` says first when the license does not fit, and whenever it could not tell. */
export const HEADLINE = /Проверка лицензии завершилась с ошибкой|License check failed/i;
const KEY_PARAMETERS = /ключевы\p{L}* параметр|key (?:\p{L}+ )?parameters/iu;
/** Reasons that are about ring's files and not about the computer. */
const NO_VERDICT =
  /лицензи\p{L}* не найден|хранилищ|директори|license (?:\p{L}+ )?not found|storage|directory/iu;
/** The headline and the reasons: the parameters below them are indented, and may hold any words. */
const SENTENCE = /^(?:\S| *(?:По причине|Reason):)/i;

/**
 * Whether the license fits this machine, by the text of `license validate`; null when ring gave no verdict. The exit
 * status alone does not tell: an exception or a missing directory ends with 1 as well. No reason's wording is proven.
 */
export function verdictOf(exitCode: number | undefined, text: string): boolean | null {
  if (exitCode === 0) return text === '' ? null : true;
  if (!HEADLINE.test(text) && !KEY_PARAMETERS.test(text)) return null;
  const reasons = text.split('\n').filter((line) => SENTENCE.test(line) && !KEY_PARAMETERS.test(line));
  return reasons.some((line) => NO_VERDICT.test(line)) ? null : false;
}
