import type { Language } from '../../errors/catalog.js';
import type { StructuredLicense } from '../../license/schema.js';
import { activationCommand, NEW_PIN, ownerData, type Shell } from './activation.js';
import { CopyButton } from './copy-button.js';
import type { Tell } from './texts.js';

const SHELLS: { shell: Shell; name: string }[] = [
  { shell: 'bash', name: 'Linux (bash)' },
  { shell: 'cmd', name: 'Windows (cmd.exe)' },
];

interface ActivationProps {
  license: StructuredLicense;
  t: Tell;
  language: Language;
}

/** What is needed to activate the license again. */
export function ActivationView({ license, t, language }: ActivationProps) {
  const data = ownerData(license);
  const commands = SHELLS.map(({ shell, name }) => ({
    name,
    command: activationCommand(license, shell, language),
  }));
  const missing = commands.filter(({ command }) => command === undefined).length;
  return (
    <section class="activation">
      <h3>{t('activation')}</h3>
      <p class="hint">{t('activationHint')}</p>
      <dl>
        {data.map(({ key, value }) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>
              <span class="value">{value}</span> <CopyButton t={t} text={() => value} name={t(key)} />
            </dd>
          </div>
        ))}
      </dl>
      {data.length > 0 && (
        <p>
          <CopyButton
            t={t}
            text={() => data.map(({ key, value }) => `${t(key)}: ${value}`).join('\n')}
            name={t('activation')}
            label={t('copyAll')}
          />
        </p>
      )}
      {commands.map(
        ({ name, command }) =>
          command && (
            <Command key={name} shell={name} command={command} t={t} placeholder={NEW_PIN[language]} />
          ),
      )}
      {missing > 0 && <p class="hint">{t(missing < SHELLS.length ? 'noCommandCmd' : 'noCommand')}</p>}
      {missing < SHELLS.length && <p class="hint">{t('newPinHint', { placeholder: NEW_PIN[language] })}</p>}
    </section>
  );
}

interface CommandProps {
  shell: string;
  command: string;
  placeholder: string;
  t: Tell;
}

function Command({ shell, command, placeholder, t }: CommandProps) {
  const title = t('command', { shell });
  // The placeholder comes after the owner's data, which could hold the same words.
  const at = command.lastIndexOf(placeholder);
  return (
    <div class="command">
      <h4>{title}</h4>
      <CopyButton t={t} text={() => command} name={title} />
      <pre>
        {command.slice(0, at)}
        <mark>{placeholder}</mark>
        {command.slice(at + placeholder.length)}
      </pre>
    </div>
  );
}
