import { useLayoutEffect, useRef } from 'preact/hooks';
import { rowTexts } from '../ui/row-texts.js';
import { useModel } from '../ui/use-model.js';
import { t } from '../texts/language.js';
import { IconButton } from '../ui/icon.js';
import { Details } from './details.js';

/** In which Escape has another meaning. */
const FIELDS = 'input:not([type]), [type="search"], select';

/** The details of the license that the user has opened. */
export function Panel() {
  const { list } = useModel();
  const license = list.open.value;
  const isAlone = list.licenses.value.length === 1;
  const panel = useRef<HTMLElement>(null);
  const close = () => {
    const hadFocus = panel.current?.contains(document.activeElement) ?? false;
    list.chosen.value = undefined;
    if (hadFocus) document.querySelector<HTMLElement>('.licenses [tabindex="0"]')?.focus();
  };
  useLayoutEffect(() => {
    if (!license) return undefined;
    const isBeside = panel.current !== null && getComputedStyle(panel.current).position !== 'fixed';
    // What covers the table takes the focus too.
    if (!isAlone && !isBeside) panel.current?.focus({ preventScroll: true });
    const obeyKey = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !(target as Element).closest(FIELDS)) close();
      // The table has moved the focus already.
      const row =
        isBeside &&
        /^(?:Arrow|Page|Home|End)/.test(key) &&
        document.activeElement?.closest<HTMLElement>('.license');
      if (row) list.chosen.value = Number(row.dataset['id']);
    };
    addEventListener('keydown', obeyKey);
    return () => removeEventListener('keydown', obeyKey);
  }, [license]);
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
