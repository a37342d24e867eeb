/** An amount in words, in each language of the messages. */
interface Words {
  en: string;
  ru: string;
}

const HOUR_SECONDS = 3600;

const ENGLISH = new Intl.PluralRules('en');
const RUSSIAN = new Intl.PluralRules('ru');

function englishAmount(count: number, noun: string): string {
  const isOne = ENGLISH.select(count) === 'one';
  return isOne ? `${count} ${noun}` : `${count} ${noun}s`;
}

/** A length of time. All messages state it in seconds, as Retry-After and the headers of the limit do. */
export function seconds(count: number): Words {
  return { en: englishAmount(count, 'second'), ru: `${count} с` };
}

/** A number of decode requests. The Russian noun is in the genitive, because it follows «не больше». */
export function decodeRequests(count: number): Words {
  const isOne = RUSSIAN.select(count) === 'one';
  return {
    en: englishAmount(count, 'decode request'),
    ru: isOne ? `${count} запроса` : `${count} запросов`,
  };
}

/** The length of a window of the limit, as it follows a number of requests. */
export function perWindow(windowSeconds: number): Words {
  if (windowSeconds === HOUR_SECONDS) return { en: 'per hour', ru: 'в час' };

  const { en, ru } = seconds(windowSeconds);
  return { en: `in ${en}`, ru: `за ${ru}` };
}
