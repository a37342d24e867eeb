import type { StructuredLicense } from '../../license/schema.js';
import { h, table } from './elements.js';
import { t } from './language.js';

type Hardware = NonNullable<StructuredLicense['hardware']>;

/** The computer in the license and that of the service side by side, with a mark where they differ. */
export function hardwareTable({ license, current, differences }: Hardware): HTMLElement {
  const head = [t('parameter'), t('license'), t('current')].map((label) => h('th', { scope: 'col' }, label));
  const names = new Set([...license, ...current].map(({ name }) => name));
  const rows = Array.from(names, (name) => {
    const difference = differences.find((entry) => entry.name === name);
    const mark = difference ? [' ', h('span', { class: 'mark' }, `≠ ${t('differs')}`)] : [];
    const cells = [license, current].map((list) => {
      const values = list.find((entry) => entry.name === name)?.values ?? [];
      const differing = [...(difference?.onlyInLicense ?? []), ...(difference?.onlyInCurrent ?? [])];
      const lines = values.map((value) => h(differing.includes(value) ? 'strong' : 'span', {}, value));
      return h('td', {}, ...(lines.length > 0 ? lines : ['—']));
    });
    return [h('th', { scope: 'row' }, name, ...mark), ...cells];
  });
  return table('hardware', head, rows);
}
