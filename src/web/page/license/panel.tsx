import { useLayoutEffect, useRef } from 'preact/hooks';
import type { View } from '../model/view.js';
import { t } from '../texts/language.js';
import { isMoveKey } from '../ui/grid-keys.js';
import { IconButton } from '../ui/icon.js';
import { rowTexts } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';
import { LicenseContent } from './license-content.js';

/** Fields that use Escape themselves. */
const FIELDS = 'input:not([type]), [type="search"], select';

/** The width from which the details are beside the table, as in license.css. On a narrower screen they lie over it. */
const BESIDE = '(width >= 1600px)';
const isBeside = () => matchMedia(BESIDE).matches;

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

    const obeyKey = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isFree = !defaultPrevented && !(target as Element).closest(FIELDS);
      if (key === 'Escape' && isFree) close();
      if (!isMoveKey(key) || !isBeside()) return;
      // The table has moved the focus already.
      const row = document.activeElement?.closest<HTMLElement>('.license');
      if (row) view.chosen.value = Number(row.dataset['id']);
    };
    // The keyboard must not lead to something that is hidden under the details.
    const obeyFocus = ({ target }: FocusEvent) => {
      const element = target as Element;
      const isOutside = element.closest('#page') !== null && !panel.current?.contains(element);
      if (isOutside && !isBeside() && element.matches(':focus-visible')) close();
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
