import { useState } from 'preact/hooks';
import type { Known } from '../model/facts.js';
import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';
import { activationCommand, FILL_IN, ownerData, shellsFor, type Shell } from './activation.js';

const SHELLS: Record<Shell, string> = { bash: 'Linux (bash)', cmd: 'Windows (cmd.exe)' };

/** What is needed to activate the license again. */
export function ActivationView({ license, pin }: { license: Known; pin: string }) {
  const [newPin, setNewPin] = useState('');
  const data = ownerData(license);
  return (
    <details class="activation">
      <summary>{t('activation')}</summary>
      <p>
        {t('newPinNeeded')} {t('formerPin')}: <span class="unbroken">{pin}</span>{' '}
        <CopyButton text={() => pin} name={t('formerPin')} />{' '}
        {license.sheet?.day && t('formerPinDay', { day: formatDate(license.sheet.day, language.value) })}
      </p>
      <label>
        {t('newPin')}{' '}
        <input
          autocomplete="off"
          inputmode="numeric"
          value={newPin}
          onInput={({ currentTarget }) => setNewPin(currentTarget.value)}
        />
      </label>
      {shellsFor(license).map((shell) => (
        <Command key={shell} license={license} shell={shell} newPin={newPin} />
      ))}
      {data.length > 0 && (
        <>
          <h3>
            {t('ownerData')}{' '}
            <CopyButton
              text={() => data.map(({ key, value }) => `${t(key)}: ${value}`).join('\n')}
              name={t('ownerData')}
            />
          </h3>
          <p class="hint">{t('activationHint')}</p>
          <dl>
            {data.map(({ key, value }) => (
              <div key={key}>
                <dt>{t(key)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </details>
  );
}

interface CommandProps {
  license: Known;
  shell: Shell;
  newPin: string;
}

function Command({ license, shell, newPin }: CommandProps) {
  const { parts, missing } = activationCommand(license, shell, language.value, newPin);
  const title = t('command', { shell: SHELLS[shell] });
  return (
    <div class="command">
      <h3>
        {title} <CopyButton text={() => parts.map(({ text }) => text).join('')} name={title} />
      </h3>
      <pre>{parts.map(({ text, isPlaceholder }) => (isPlaceholder ? <mark>{text}</mark> : text))}</pre>
      {missing.length > 0 && (
        <p class="hint">
          {t('fillIn', {
            placeholder: FILL_IN[language.value],
            fields: missing.map((key) => t(key)).join(', '),
            shell: SHELLS[shell],
          })}
        </p>
      )}
    </div>
  );
}
