import { h } from './elements.js';

/** Saves a text as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/**
 * Copies the text of an element. The modern clipboard API needs HTTPS, which many company networks lack.
 * @returns whether the browser did it; else the text is at least selected
 */
export function copyText(element: HTMLElement): boolean {
  getSelection()?.selectAllChildren(element);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- has no successor over HTTP
  return document.execCommand('copy');
}
