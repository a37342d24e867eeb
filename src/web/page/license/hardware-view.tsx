import type { StructuredLicense } from '../../../license/schema.js';
import { withGigabytes } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';

/** The parameters whose names are known, in the languages in which ring prints them. */
const PARAMETERS: Partial<Record<string, TextKey>> = {
  'OS name': 'osName',
  'OS version': 'osVersion',
  'OS serial': 'osSerial',
  'Computer name': 'computerName',
  'Имя компьютера': 'computerName',
  Motherboard: 'motherboard',
  RAM: 'ram',
  Processor: 'processor',
  'Network adapter': 'networkAdapter',
  'Hard disk': 'hardDisk',
};

/** The parameters whose values may end in a number of bytes. */
const SIZED: ReadonlySet<string> = new Set(['RAM', 'Hard disk']);

/** The name of a parameter in the language of the page where it is known, else as ring says it. */
function parameterName(name: string): string {
  const key = PARAMETERS[name];
  return key ? t(key) : name;
}

type Hardware = NonNullable<StructuredLicense['hardware']>['license'];

/** The computer in the license. */
export const HardwareView = ({ hardware }: { hardware: Hardware }) => (
  <details class="hardware">
    <summary>{t('hardware')}</summary>
    <dl>
      {hardware.map(({ name, values }) => (
        <div key={name}>
          <dt>{parameterName(name)}</dt>
          <dd>
            {values.map((value, index) => (
              <span class="value" key={index}>
                {SIZED.has(name) ? withGigabytes(value, language.value) : value}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </details>
);
