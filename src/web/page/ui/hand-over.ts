/** Milliseconds for which a browser may read what it was given to save. */
const KEPT_MS = 60_000;

/** Saves data as a file. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari begins to read it later, and Chromium after the user has answered where to save it.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/**
 * Copies a text. The modern clipboard API exists over HTTPS only, which many company networks lack.
 * @returns whether the browser did it
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- has no successor over HTTP
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
