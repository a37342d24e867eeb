import type { StructuredLicense } from '../../../license/schema.js';
import { withGigabytes } from '../texts/format.js';
import { language, t } from '../texts/language.js';

type Hardware = NonNullable<StructuredLicense['hardware']>['license'];

/** The computer in the license. */
export const HardwareView = ({ hardware }: { hardware: Hardware }) => (
  <details class="hardware">
    <summary>{t('hardware')}</summary>
    <dl>
      {hardware.map(({ name, values }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {values.map((value, index) => (
              <span class="value" key={index}>
                {unbroken(withGigabytes(name, value, language.value))}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </details>
);

/** MAC addresses and sizes stay in one line. */
const unbroken = (value: string) =>
  value
    .split(/((?:[\dA-F]{2}[:-]){5}[\dA-F]{2}|\([\d.,]+ (?:GB|ГБ)\))/i)
    .map((part, index) => (index % 2 === 1 ? <span class="unbroken">{part}</span> : part));
