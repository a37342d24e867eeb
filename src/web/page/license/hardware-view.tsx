import { useState } from 'preact/hooks';
import type { StructuredLicense } from '../../../license/schema.js';
import { withGigabytes } from '../texts/format.js';
import { language, t } from '../texts/language.js';

const VERDICTS = { true: 'match', false: 'mismatch', null: 'unknownMatch' } as const;

/** The computer in the license; what differs on that of the service is shown on request. */
export function HardwareView({ license: { hardware, valid } }: { license: StructuredLicense }) {
  const [isCompared, setCompared] = useState(false);
  const { license, differences } = hardware ?? { license: [], differences: [] };
  const verdict = VERDICTS[`${valid}`];
  const known = new Set(license.map(({ name }) => name));
  const more = differences.filter(({ name }) => !known.has(name)).map(({ name }) => ({ name, values: [] }));
  return (
    <details class="hardware">
      <summary>{t('hardware')}</summary>
      <p title={t(valid === false ? 'mismatchWhy' : verdict)}>{t(verdict)}</p>
      {license.length > 0 && (
        <>
          <dl>
            {[...license, ...(isCompared ? more : [])].map(({ name, values }) => {
              const current = differences.find((entry) => entry.name === name)?.onlyInCurrent;
              return (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Values name={name} values={values} />
                    {isCompared && current && (
                      <p class="current">
                        {t('current')}: {current.length > 0 ? <Values name={name} values={current} /> : '—'}
                      </p>
                    )}
                  </dd>
                </div>
              );
            })}
          </dl>
          <p>
            <label class="option">
              <input
                type="checkbox"
                checked={isCompared}
                onChange={({ currentTarget }) => setCompared(currentTarget.checked)}
              />{' '}
              {t('compare')}
            </label>
          </p>
        </>
      )}
      {isCompared && <p class="hint">{t('hardwareHint')}</p>}
    </details>
  );
}

const Values = ({ name, values }: { name: string; values: readonly string[] }) => (
  <>
    {values.map((value) => (
      <span class="value" key={value}>
        {unbroken(withGigabytes(name, value, language.value))}
      </span>
    ))}
  </>
);

/** MAC addresses and sizes stay in one line. */
const unbroken = (value: string) =>
  value
    .split(/((?:[\dA-F]{2}[:-]){5}[\dA-F]{2}|\([\d.,]+ (?:GB|ГБ)\))/i)
    .map((part, index) => (index % 2 === 1 ? <span class="unbroken">{part}</span> : part));
