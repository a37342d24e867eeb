/** First line of `license validate` when the license does not fit this machine, and when the check itself failed. */
const HEADLINE =
  /Проверка лицензии[^\n]{0,300} завершилась с ошибкой|License check(?: [^\n]{0,300})? failed/i;

// The endings of words are bounded here and below. An unbounded one could run over the next beginning of the expression,
// and the time would grow with the square of the text's length.
const KEY_PARAMETERS = /ключевы\p{L}{0,4} параметр|key (?:\p{L}+ )?parameters/iu;

/** Reasons that are about ring's files, and not about the computer. */
const ABOUT_FILES =
  /лицензи\p{L}{0,4} не найден|хранилищ|директори|license (?:\p{L}+ )?not found|storage|directory/iu;

/** Faults of the check itself. That a hardware key is not connected is none: then the license does not fit. */
const FAULTS = [
  /внутренн\p{L}{0,3} ошибк|internal error|exception(?!\p{L})|java\.lang\./iu,
  /(?:нет|отсутствует|потеряно|не удалось(?: установить)?) (?:соедин|подключ|связ)|соединение (?:не установлено|прервано|разорвано)/iu,
  /(?:no|lost|failed to|cannot|could not|unable to) connect|connection (?:failed|refused|lost|timed out)/iu,
  // The computer's parameters were not obtained.
  /(?:не удалось|невозможно|ошибка) (?:получ|определ|прочит|чтени)|параметр\p{L}{0,3}(?: компьютера)? не (?:были )?(?:получ|определ)/iu,
  /(?:failed to|cannot|could not|unable to|error) (?:obtain|determin|retriev|read|get)|parameters \p{L}{1,5} not (?:be )?(?:obtain|determin|retriev)/iu,
];

/** Names and paths stand in quotes, and may contain the words of a reason. */
const QUOTED = /"[^"\n]*"|«[^«»\n]*»/g;

/** The headline and the reasons. The parameters below them are indented, and may contain the words of a reason. */
const SENTENCE = /^(?:\S| *(?:По причине|Reason):)/i;

/**
 * Reads from the output of `license validate` whether the license fits this machine. The exit status alone does not
 * tell, because it is 1 after an exception and for a missing directory as well. No wording of a reason is proven.
 * @returns null when ring gave no verdict, or its words and its exit status contradict each other
 */
export function verdictOf(exitCode: number | undefined, text: string): boolean | null {
  const hasHeadline = HEADLINE.test(text);
  if (exitCode === 0) {
    const hasPassed = text !== '' && !hasHeadline;
    return hasPassed ? true : null;
  }

  const isFailedCheck = hasHeadline || KEY_PARAMETERS.test(text);
  if (!isFailedCheck) return null;

  const withoutNames = text.replace(QUOTED, '');
  const sentences = withoutNames.split('\n').filter((line) => SENTENCE.test(line));
  const isNoVerdict = sentences.some((line) => {
    const isAboutComputer = KEY_PARAMETERS.test(line);
    const isAboutFiles = !isAboutComputer && ABOUT_FILES.test(line);
    return isAboutFiles || FAULTS.some((fault) => fault.test(line));
  });
  return isNoVerdict ? null : false;
}
