import type { License } from '../model/license.js';
import { language, t } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';
import { activationCommand, FILL_IN, NEW_PIN, ownerData, type Shell } from './activation.js';

const SHELLS: Record<Shell, string> = { bash: 'Linux (bash)', cmd: 'Windows (cmd.exe)' };

/** What is needed to activate the license again. */
export function ActivationView({ license }: { license: License }) {
  const data = ownerData(license);
  return (
    <details class="activation">
      <summary>{t('activation')}</summary>
      <p class="hint">{t('activationHint')}</p>
      <dl>
        {data.map(({ key, value }) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>
              <span class="value">{value}</span> <CopyButton text={() => value} name={t(key)} />
            </dd>
          </div>
        ))}
        {data.length > 0 && (
          <div>
            <dt>{t('copyAll')}</dt>
            <dd>
              <CopyButton
                text={() => data.map(({ key, value }) => `${t(key)}: ${value}`).join('\n')}
                name={t('copyAll')}
              />
            </dd>
          </div>
        )}
      </dl>
      {(Object.keys(SHELLS) as Shell[]).map((shell) => (
        <Command key={shell} license={license} shell={shell} />
      ))}
      <p class="hint">{t('newPinHint', { placeholder: NEW_PIN[language.value] })}</p>
    </details>
  );
}

function Command({ license, shell }: { license: License; shell: Shell }) {
  const { parts, missing } = activationCommand(license, shell, language.value);
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
