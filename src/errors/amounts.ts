import type { Language } from './catalog.js';

/** An amount in words, in each language of the messages. */
type Words = Record<Language, string>;

const ENGLISH = new Intl.PluralRules('en');
const RUSSIAN = new Intl.PluralRules('ru');

/** A number of decodes. The Russian text says files instead, because Russian has no noun for a decode. */
export function decodes(count: number): Words {
  const noun = ENGLISH.select(count) === 'one' ? 'decode' : 'decodes';
  return { en: `${count} ${noun}`, ru: `${count} ${russianFiles(count)}` };
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

/** A number of seconds. */
export function seconds(count: number): Words {
  const noun = ENGLISH.select(count) === 'one' ? 'second' : 'seconds';
  return { en: `${count} ${noun}`, ru: `${count} с` };
}

/** The length of a window of the limit, as it follows a number of decodes. */
export function perWindow(windowSeconds: number): Words {
  if (windowSeconds === 3600) return { en: 'per hour', ru: 'в час' };

  const { en, ru } = seconds(windowSeconds);
  return { en: `in ${en}`, ru: `за ${ru}` };
}
