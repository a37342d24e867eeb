import type { Language } from '../../errors/catalog.js';
import { textIn, type TextKey, type TextValues } from './texts.js';

/** The language of the page; the server sets the first one. */
export const language = (): Language => (document.documentElement.lang === 'ru' ? 'ru' : 'en');

export const t = (key: TextKey, values?: TextValues) => textIn(language(), key, values);

/** Shows the texts of index.html in the other language. The URL keeps it for a reload. */
export function switchLanguage(link: HTMLAnchorElement): void {
  const [current, next] = language() === 'ru' ? ['ru', 'en'] : ['en', 'ru'];
  document.documentElement.lang = next;
  link.lang = current;
  link.href = `/?lang=${current}`;
  history.replaceState(null, '', `/?lang=${next}`);
  for (const element of document.querySelectorAll<HTMLElement>('[data-en]')) {
    element.textContent = element.dataset[next] ?? '';
  }
}
