/** First line of `license validate` when the license does not fit this machine, and when the check itself failed. */
const HEADLINE =
  /Проверка лицензии[^\n]{0,300} завершилась с ошибкой|License check(?: [^\n]{0,300})? failed/i;

// The endings of words are bounded here and below. An unbounded one could run over the next beginning of the expression,
// and the time would grow with the square of the text's length.
const KEY_PARAMETERS = /ключевы\p{L}{0,4} параметр|key (?:\p{L}+ )?parameters/iu;

/** Reasons that are about ring's files, and not about the computer. */
const NO_VERDICT =
  /лицензи\p{L}{0,4} не найден|хранилищ|директори|license (?:\p{L}+ )?not found|storage|directory/iu;

/** Names and paths stand in quotes, and may contain the words of a reason. */
const QUOTED = /"[^"\n]*"|«[^«»\n]*»/g;

/** The headline and the reasons. The parameters below them are indented, and may contain the words of a reason. */
const SENTENCE = /^(?:\S| *(?:По причине|Reason):)/i;

/**
 * Reads from the output of `license validate` whether the license fits this machine. The exit status alone does not
 * tell, because it is 1 after an exception and for a missing directory as well. No wording of a reason is proven.
 * @returns null when ring gave no verdict
 */
export function verdictOf(exitCode: number | undefined, text: string): boolean | null {
  if (exitCode === 0) return text === '' ? null : true;

  const isFailedCheck = HEADLINE.test(text) || KEY_PARAMETERS.test(text);
  if (!isFailedCheck) return null;

  const withoutNames = text.replace(QUOTED, '');
  const sentences = withoutNames.split('\n').filter((line) => SENTENCE.test(line));
  const isAboutFiles = sentences.some((line) => {
    const isAboutComputer = KEY_PARAMETERS.test(line);
    return !isAboutComputer && NO_VERDICT.test(line);
  });
  return isAboutFiles ? null : false;
}
