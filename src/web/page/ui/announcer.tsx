const ANNOUNCER = 'announcer';

/** Milliseconds after which screen readers have noticed that a text is gone. */
const GONE_MS = 50;

/** Says to screen readers what only sighted users would notice, such as that a text was copied. */
export const Announcer = () => <p id={ANNOUNCER} class="unseen" role="status" />;

/** Has screen readers say a text, also the same one again. */
export function announce(text: string): void {
  const announcer = document.getElementById(ANNOUNCER);
  if (!announcer) return;

  // The same text in place of itself is no news, so it goes first.
  announcer.textContent = '';
  setTimeout(() => (announcer.textContent = text), GONE_MS);
}
