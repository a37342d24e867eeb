import type { License } from '../model/license.js';
import { LicenseContent } from './license-content.js';

/** The only license of the list, as wide as the page, in place of a table. */
export const LicenseCard = ({ license }: { license: License }) => (
  <article class="facts license-card" data-id={license.id}>
    <LicenseContent license={license} />
  </article>
);
