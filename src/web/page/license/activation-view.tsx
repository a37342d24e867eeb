import { useSignal, type Signal } from '@preact/signals';
import type { Known } from '../model/facts.js';
import { language, t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { activationCommand, FILL_IN, newPinProblem, ownerData, shellsFor, type Shell } from './activation.js';

const SHELLS: Record<Shell, string> = { bash: 'Linux (bash)', cmd: 'Windows (cmd.exe)' };

/** How to activate a license again. */
export function ActivationView({ license, pin }: { license: Known; pin: string }) {
  const newPin = useSignal('');
  const [likely, other] = shellsFor(license);
  const shell = useSignal(likely);
  const otherShell = shell.value === likely ? other : likely;
  const problem = newPinProblem(newPin.value, pin);
  return (
    <details class="activation">
      <summary>{t('activation')}</summary>
      <p>
        {t('newPinNeeded')} {t('ownPin')}: <span class="unbroken">{pin}</span>{' '}
        <CopyButton text={() => pin} label={t('copyPin', { pin })} />
      </p>
      <label>
        {t('newPin')}{' '}
        <input
          autocomplete="off"
          inputmode="numeric"
          aria-invalid={problem !== undefined}
          value={newPin.value}
          onInput={({ currentTarget }) => (newPin.value = currentTarget.value)}
        />
      </label>
      <p class="problem" role="status">
        {problem && t(problem)}
      </p>
      <Command license={license} shell={shell.value} newPin={newPin} />
      <Button
        class="link"
        text={t('command', { shell: SHELLS[otherShell] })}
        onClick={() => (shell.value = otherShell)}
      />
      <OwnerData license={license} />
    </details>
  );
}

function OwnerData({ license }: { license: Known }) {
  const data = ownerData(license);
  if (data.length === 0) return null;
  const text = () => data.map(({ key, value }) => `${t(key)}: ${value}`).join('\n');
  return (
    <>
      <h3>
        {t('ownerData')} <CopyButton text={text} label={t('copyOwnerData')} />
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
  );
}

interface CommandProps {
  license: Known;
  shell: Shell;
  newPin: Signal<string>;
}

function Command({ license, shell, newPin }: CommandProps) {
  const command = () => activationCommand(license, shell, language.value, newPin.value);
  // Copied as it is at that moment, which may not be drawn yet.
  const line = () => {
    const texts = command().parts.map(({ text }) => text);
    return texts.join('');
  };
  const { parts, missing } = command();
  const gap = {
    placeholder: FILL_IN[language.value],
    fields: missing.map((key) => t(key)).join(', '),
    shell: SHELLS[shell],
  };
  return (
    <div class="command">
      <h3>
        {t('command', { shell: SHELLS[shell] })}{' '}
        <CopyButton text={line} label={t('copyCommand', { shell: SHELLS[shell] })} />
      </h3>
      <pre>{parts.map(({ text, isPlaceholder }) => (isPlaceholder ? <mark>{text}</mark> : text))}</pre>
      {missing.length > 0 && <p class="hint">{t('fillIn', gap)}</p>}
    </div>
  );
}
