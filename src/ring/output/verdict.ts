/** What `license validate` says first when the license does not fit, and whenever it could not tell. */
const HEADLINE =
  /Проверка лицензии[^\n]{0,300} завершилась с ошибкой|License check(?: [^\n]{0,300})? failed/i;
// Endings are bounded: an expression that could run over its own beginning takes the square of a text's length.
const KEY_PARAMETERS = /ключевы\p{L}{0,4} параметр|key (?:\p{L}+ )?parameters/iu;
/** Reasons that are about ring's files and not about the computer. */
const NO_VERDICT =
  /лицензи\p{L}{0,4} не найден|хранилищ|директори|license (?:\p{L}+ )?not found|storage|directory/iu;
/** Names and paths, which may hold any words. */
const QUOTED = /"[^"\n]*"|«[^«»\n]*»/g;
/** The headline and the reasons: the parameters below them are indented, and may hold any words. */
const SENTENCE = /^(?:\S| *(?:По причине|Reason):)/i;

/**
 * Whether the license fits this machine, by the text of `license validate`; null when ring gave no verdict. The exit
 * status alone does not tell: an exception or a missing directory ends with 1 as well. No reason's wording is proven.
 */
export function verdictOf(exitCode: number | undefined, text: string): boolean | null {
  if (exitCode === 0) return text === '' ? null : true;
  if (!HEADLINE.test(text) && !KEY_PARAMETERS.test(text)) return null;
  const lines = text.replace(QUOTED, '').split('\n');
  const reasons = lines.filter((line) => SENTENCE.test(line) && !KEY_PARAMETERS.test(line));
  return reasons.some((line) => NO_VERDICT.test(line)) ? null : false;
}
