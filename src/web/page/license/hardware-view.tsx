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
                {unbroken(withGigabytes(name, value, language.value))}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </details>
);

/** A MAC address, or a size in brackets. It is a group, so that `split` keeps it: as every second part. */
const UNBREAKABLE = /((?:[\dA-F]{2}[:-]){5}[\dA-F]{2}|\([\d.,]+ (?:GB|ГБ)\))/i;

/** MAC addresses and sizes stay in one line. */
const unbroken = (value: string) =>
  value.split(UNBREAKABLE).map((part, index) => {
    const isUnbreakable = index % 2 === 1;
    return isUnbreakable ? <span class="unbroken">{part}</span> : part;
  });
