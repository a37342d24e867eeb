import type { License } from '../model/license.js';
import { rowTexts } from '../ui/row-texts.js';
import { Details } from './details.js';

/** The only license of the list. */
export function LicenseCard({ license }: { license: License }) {
  return (
    <section key={license.id} class="panel alone" aria-label={rowTexts(license).file}>
      <Details license={license} />
    </section>
  );
}
