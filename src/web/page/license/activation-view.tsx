import { useSignal, type Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Known } from '../model/facts.js';
import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';
import type * as Activation from './activation.js';

type Rules = typeof Activation;
type Shell = Activation.Shell;

const SHELLS: Record<Shell, string> = { bash: 'Linux (bash)', cmd: 'Windows (cmd.exe)' };

/** How to activate a license again. Few ask, so the rules for it are loaded when they do. */
export function ActivationView(props: { license: Known; pin: string }) {
  const [rules, setRules] = useState<Rules | undefined>();
  const [isLost, setLost] = useState(false);
  const load = () => import('./activation.js').then(setRules, () => setLost(true));
  return (
    <details class="activation" onToggle={() => void load()}>
      <summary>{t('activation')}</summary>
      {rules ? <Steps {...props} rules={rules} /> : isLost && <p class="problem">{t('noAnswer')}</p>}
    </details>
  );
}

function Steps({ license, pin, rules }: { license: Known; pin: string; rules: Rules }) {
  const newPin = useSignal('');
  const data = rules.ownerData(license);
  return (
    <>
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
          value={newPin.value}
          onInput={({ currentTarget }) => (newPin.value = currentTarget.value)}
        />
      </label>
      {rules.shellsFor(license).map((shell) => (
        <Command key={shell} license={license} shell={shell} newPin={newPin} rules={rules} />
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
    </>
  );
}

interface CommandProps {
  license: Known;
  shell: Shell;
  newPin: Signal<string>;
  rules: Rules;
}

function Command({ license, shell, newPin, rules }: CommandProps) {
  // Copied as it is at that moment, which may not be drawn yet.
  const command = () => rules.activationCommand(license, shell, language.value, newPin.value);
  const { parts, missing } = command();
  const title = t('command', { shell: SHELLS[shell] });
  return (
    <div class="command">
      <h3>
        {title}{' '}
        <CopyButton
          text={() =>
            command()
              .parts.map(({ text }) => text)
              .join('')
          }
          name={title}
        />
      </h3>
      <pre>{parts.map(({ text, isPlaceholder }) => (isPlaceholder ? <mark>{text}</mark> : text))}</pre>
      {missing.length > 0 && (
        <p class="hint">
          {t('fillIn', {
            placeholder: rules.FILL_IN[language.value],
            fields: missing.map((key) => t(key)).join(', '),
            shell: SHELLS[shell],
          })}
        </p>
      )}
    </div>
  );
}
