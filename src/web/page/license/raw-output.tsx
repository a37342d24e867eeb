import type { Decoded } from '../model/facts.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { download } from '../ui/hand-over.js';

interface RawOutputProps {
  result: Decoded;
  fileName: string;
}

/** What ring printed, as it is, and the whole answer of the service as a file. */
export function RawOutput({ result, fileName }: RawOutputProps) {
  const { licData, validateData, licHWConfig, structured } = result;
  const other = structured.other.map(({ name, value }) => (name ? `${name}: ${value}` : value));
  const downloadJson = () => {
    const json = JSON.stringify(result, null, 2);
    const name = fileName.replace(/(?:\.lic)?$/i, '.json');
    download(name, new Blob([json], { type: 'application/json' }));
  };
  return (
    <details>
      <summary>{t('raw')}</summary>
      <RawPart title="licData" text={licData} />
      <RawPart title="validateData" text={validateData} />
      {structured.valid === false && <p class="hint">{t('validatedOnServer')}</p>}
      <RawPart title="inLicense" text={licHWConfig ?? ''} />
      <RawPart title="other" text={other.join('\n')} />
      <Button text={t('downloadJson')} onClick={downloadJson} />
    </details>
  );
}

function RawPart({ title, text }: { title: TextKey; text: string }) {
  if (text === '') return null;
  return (
    <div>
      <h3>{t(title)}</h3>
      <pre>{text}</pre>
    </div>
  );
}
