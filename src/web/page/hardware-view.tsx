import type { ComponentChildren } from 'preact';
import type { Language } from '../../errors/catalog.js';
import type { StructuredLicense } from '../../license/schema.js';
import { withGigabytes } from './format.js';
import type { Tell } from './texts.js';

interface HardwareProps {
  license: StructuredLicense;
  t: Tell;
  language: Language;
}

/** The computer in the license and that of the service side by side, with a mark where they differ. */
export function HardwareView({ license: { hardware, valid }, t, language }: HardwareProps) {
  if (!hardware || hardware.license.length + hardware.current.length === 0) return null;
  const { license, current, differences } = hardware;
  const names = new Set([...license, ...current].map(({ name }) => name));
  return (
    <details open={valid}>
      <summary>{t('hardware')}</summary>
      <p class="hint">{t('hardwareHint')}</p>
      <table class="hardware">
        <thead>
          <tr>
            <th scope="col">{t('parameter')}</th>
            <th scope="col">{t('inLicense')}</th>
            <th scope="col">{t('current')}</th>
          </tr>
        </thead>
        <tbody>
          {Array.from(names, (name) => {
            const difference = differences.find((entry) => entry.name === name);
            const differing = [...(difference?.onlyInLicense ?? []), ...(difference?.onlyInCurrent ?? [])];
            return (
              <tr key={name}>
                <th scope="row">
                  {name} {difference && <span class="mark">≠ {t('differs')}</span>}
                </th>
                {[license, current].map((list, index) => (
                  <td key={index} data-label={t(index === 0 ? 'inLicense' : 'current')}>
                    {(list.find((entry) => entry.name === name)?.values ?? []).map((value, line) => (
                      <HardwareValue key={line} isDifferent={differing.includes(value)}>
                        {unbroken(withGigabytes(name, value, language))}
                      </HardwareValue>
                    ))}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}

function HardwareValue({ isDifferent, children }: { isDifferent: boolean; children: ComponentChildren }) {
  return isDifferent ? <strong>{children}</strong> : <span>{children}</span>;
}

/** MAC addresses and sizes stay in one line. */
const unbroken = (value: string) =>
  value
    .split(/((?:[\dA-F]{2}[:-]){5}[\dA-F]{2}|\([\d.,]+ (?:GB|ГБ)\))/i)
    .map((part, index) => (index % 2 === 1 ? <span class="unbroken">{part}</span> : part));
