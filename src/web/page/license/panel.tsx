import { useLayoutEffect, useRef } from 'preact/hooks';
import type { View } from '../model/view.js';
import { t } from '../texts/language.js';
import { isMoveKey } from '../ui/grid-keys.js';
import { IconButton } from '../ui/icon.js';
import { rowTexts } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';
import { LicenseContent } from './license-content.js';

/** Fields in which the browser uses Escape: it clears a search, and closes the list of a select. */
const ESCAPE_FIELDS = '[type="search"], select';

/**
 * As in license.css: from the first width on, the details are beside the table; from the second one on, they lie over it;
 * on a narrower screen they lie over the whole page.
 */
const BESIDE = '(width >= 1600px)';
const OVER_TABLE = '(width >= 732px)';
const isBeside = () => matchMedia(BESIDE).matches;

/** Whether open details cover an element outside them, or the table that it is in. */
function isCovered(element: Element): boolean {
  if (isBeside()) return false;
  const isAllCovered = !matchMedia(OVER_TABLE).matches;
  return isAllCovered || element.closest('.table') !== null;
}

/** Closes the details. A focus in them goes back to the row that they belong to. */
export function closeDetails({ chosen }: Pick<View, 'chosen'>): void {
  const focusedPanel = document.activeElement?.closest('.panel');
  chosen.value = undefined;
  if (focusedPanel) document.querySelector<HTMLElement>('.licenses [tabindex="0"]')?.focus();
}

/** The details of the license that the user has opened. */
export function Panel() {
  const { view } = useStore();
  const license = view.open.value;
  const panel = useRef<HTMLElement>(null);

  const close = () => closeDetails(view);

  const id = license?.id;
  useLayoutEffect(() => {
    if (id === undefined) return undefined;
    if (!isBeside()) panel.current?.focus({ preventScroll: true });

    const obeyKey = ({ key, target }: KeyboardEvent) => {
      // The browser closes an open menu, which lies over the details.
      const isTaken = (target as Element).closest(ESCAPE_FIELDS) ?? document.querySelector(':popover-open');
      if (key === 'Escape' && !isTaken) close();
      if (!isMoveKey(key) || !isBeside()) return;
      // The table has moved the focus already.
      const row = document.activeElement?.closest<HTMLElement>('.license');
      if (row) view.chosen.value = Number(row.dataset['id']);
    };
    // The keyboard must not lead to something that is hidden under the details.
    const obeyFocus = ({ target }: FocusEvent) => {
      const element = target as Element;
      const isOutside = !panel.current?.contains(element);
      if (isOutside && isCovered(element) && element.matches(':focus-visible')) close();
    };
    addEventListener('keydown', obeyKey);
    addEventListener('focusin', obeyFocus);
    return () => {
      removeEventListener('keydown', obeyKey);
      removeEventListener('focusin', obeyFocus);
    };
  }, [id]);

  if (!license) return null;
  return (
    <section
      ref={panel}
      key={license.id}
      class="facts panel"
      aria-label={`${t('showDetails')}: ${rowTexts(license).file}`}
      tabIndex={-1}
    >
      <IconButton icon="cross" title={t('close')} label={t('closeDetails')} onClick={close} />
      <LicenseContent license={license} />
    </section>
  );
}
