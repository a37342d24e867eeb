import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../texts/language.js';
import { IconButton } from '../ui/icon.js';
import { rowTexts } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';
import { Details } from './details.js';

/** In which Escape has another meaning. */
const FIELDS = 'input:not([type]), [type="search"], select';

/** The details of the license that the user has opened. */
export function Panel() {
  const { view } = useStore();
  const license = view.open.value;
  const isAlone = view.licenses.value.length === 1;
  const panel = useRef<HTMLElement>(null);

  const close = () => {
    const hadFocus = panel.current?.contains(document.activeElement) ?? false;
    view.chosen.value = undefined;
    if (hadFocus) document.querySelector<HTMLElement>('.licenses [tabindex="0"]')?.focus();
  };

  const id = license?.id;
  useLayoutEffect(() => {
    if (id === undefined) return undefined;
    // What covers the table takes the focus too.
    if (!isAlone && !isBeside(panel.current)) panel.current?.focus({ preventScroll: true });
    const obeyKey = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isFree = !defaultPrevented && !(target as Element).closest(FIELDS);
      if (key === 'Escape' && isFree) close();
      if (!/^(?:Arrow|Page|Home|End)/.test(key) || !isBeside(panel.current)) return;
      // The table has moved the focus already.
      const row = document.activeElement?.closest<HTMLElement>('.license');
      if (row) view.chosen.value = Number(row.dataset['id']);
    };
    addEventListener('keydown', obeyKey);
    return () => removeEventListener('keydown', obeyKey);
  }, [id, isAlone]);

  if (!license) return null;
  const { file } = rowTexts(license);
  return (
    <section
      ref={panel}
      key={license.id}
      class={isAlone ? 'panel alone' : 'panel'}
      aria-label={`${t('showDetails')}: ${file}`}
      tabIndex={-1}
    >
      <IconButton icon="cross" title={t('close')} name={t('showDetails')} onClick={close} />
      <Details license={license} />
    </section>
  );
}

/** Whether the panel is beside the table, and not over it. The width of the window may change at any time. */
const isBeside = (panel: Element | null) => panel !== null && getComputedStyle(panel).position !== 'fixed';
