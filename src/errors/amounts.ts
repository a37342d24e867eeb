import type { Language } from './catalog.js';

/** An amount in words, in each language of the messages. */
type Words = Record<Language, string>;

/** Seconds in a minute and in an hour. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Shorter times are told in seconds alone: "90 seconds" is read faster than "1 minute 30 seconds". */
const SHORTEST_IN_MINUTES = 2 * MINUTE;

const ENGLISH = new Intl.PluralRules('en');
const RUSSIAN = new Intl.PluralRules('ru');

/** A number of decodes. The Russian text says files instead, because Russian has no noun for a decode. */
export function decodes(count: number): Words {
  return { en: englishAmount(count, 'decode'), ru: `${count} ${russianFiles(count)}` };
}

function englishAmount(count: number, noun: string): string {
  const isOne = ENGLISH.select(count) === 'one';
  return isOne ? `${count} ${noun}` : `${count} ${noun}s`;
}

function russianFiles(count: number): string {
  switch (RUSSIAN.select(count)) {
    case 'one':
      return 'файл';
    case 'few':
      return 'файла';
    default:
      return 'файлов';
  }
}

/** A size in bytes, told in whole megabytes. */
export function megabytes(bytes: number): Words {
  const count = Math.round(bytes / 1024 ** 2);
  return { en: `${count} MB`, ru: `${count} МБ` };
}

/** A length of time in seconds, told in hours, minutes and seconds. Units of which there are none are left out. */
export function duration(totalSeconds: number): Words {
  if (totalSeconds < SHORTEST_IN_MINUTES) return seconds(totalSeconds);

  const hours = Math.floor(totalSeconds / HOUR);
  const minutes = Math.floor((totalSeconds % HOUR) / MINUTE);
  const restSeconds = totalSeconds % MINUTE;

  const parts: Words[] = [];
  if (hours > 0) parts.push({ en: englishAmount(hours, 'hour'), ru: `${hours} ч` });
  if (minutes > 0) parts.push({ en: englishAmount(minutes, 'minute'), ru: `${minutes} мин` });
  if (restSeconds > 0) parts.push(seconds(restSeconds));

  return {
    en: parts.map((part) => part.en).join(' '),
    ru: parts.map((part) => part.ru).join(' '),
  };
}

function seconds(count: number): Words {
  return { en: englishAmount(count, 'second'), ru: `${count} с` };
}

/**
 * A time to wait, in seconds. From two minutes on it is rounded up to whole minutes: nobody counts the seconds, and a
 * client that waits as long as it was told must not come back too early.
 */
export function waitingTime(totalSeconds: number): Words {
  if (totalSeconds < SHORTEST_IN_MINUTES) return duration(totalSeconds);

  const minutes = Math.ceil(totalSeconds / MINUTE);
  return duration(minutes * MINUTE);
}

/** The length of a window of the limit, as it follows a number of decodes. */
export function perWindow(windowSeconds: number): Words {
  if (windowSeconds === HOUR) return { en: 'per hour', ru: 'в час' };

  const { en, ru } = duration(windowSeconds);
  return { en: `in ${en}`, ru: `за ${ru}` };
}
