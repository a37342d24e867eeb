import { t } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';

/** Where the platform keeps license files. README names the same directories. */
const USUAL = 'C:\\ProgramData\\1C\\licenses';
const OTHERS = {
  Windows: ['C:\\ProgramData\\1C\\1cv8\\conf', '%LOCALAPPDATA%\\1C\\1cv8\\conf'],
  Linux: ['/var/1C/licenses', '~/.1cv8/1C/1cv8/conf'],
};

/** Where to look for the files, with paths to be pasted into the browser's dialog. */
export function Places() {
  return (
    <div class="places">
      <p>
        {t('whereFilesAre')} <Directory path={USUAL} /> {t('hiddenFolder')}
      </p>
      <details>
        <summary>{t('otherPlaces')}</summary>
        <dl>
          {Object.entries(OTHERS).map(([system, paths]) => (
            <div key={system}>
              <dt>{system}</dt>
              {paths.map((path) => (
                <dd key={path}>
                  <Directory path={path} />
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

const Directory = ({ path }: { path: string }) => (
  <span class="unbroken">
    <code>{path}</code> <CopyButton text={() => path} label={t('copyPath', { path })} />
  </span>
);
