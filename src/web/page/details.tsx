import type { Language } from '../../errors/catalog.js';
import { ActivationView } from './activation-view.js';
import { cellTextsIn } from './cells.js';
import { CopyButton } from './copy-button.js';
import { formatDate } from './format.js';
import { download } from './hand-over.js';
import { HardwareView } from './hardware-view.js';
import type { Decoded, Item } from './item.js';
import { rowOf } from './row.js';
import { BINDINGS, textsIn, type Tell, type TextKey } from './texts.js';

/** All that is known of a license. */
export function Details({ item, language }: { item: Item; language: Language }) {
  const t = textsIn(language);
  const { file, clearText, state } = item;
  const result = state.name === 'done' ? state.result : undefined;
  const path = cellTextsIn(language)(item).file;
  return (
    <section class="license-details" aria-label={`${t('showDetails')}: ${path}`}>
      <p class="path">
        <bdi>{path}</bdi>
      </p>
      {result ? (
        <DecodedPart
          result={result}
          owner={rowOf(item).owner}
          fileName={file.name}
          t={t}
          language={language}
        />
      ) : (
        state.name !== 'failed' && <p class="hint">{t(clearText ? 'notDecodedYet' : 'nothingKnownYet')}</p>
      )}
      <ClearText text={result ? result.structured.file : clearText} t={t} language={language} />
      {result && (
        <>
          <ActivationView license={result.structured} t={t} language={language} />
          <HardwareView license={result.structured} t={t} language={language} />
          <RawOutput result={result} t={t} />
        </>
      )}
    </section>
  );
}

interface PartProps {
  t: Tell;
  language: Language;
}

interface DecodedPartProps extends PartProps {
  result: Decoded;
  owner: string | null;
  fileName: string;
}

function DecodedPart({ result, owner, fileName, t, language }: DecodedPartProps) {
  const { pinCode, structured } = result;
  const { product, registrationNumber, valid, binding, previousPin } = structured;
  const json = () =>
    download(
      fileName.replace(/(?:\.lic)?$/i, '.json'),
      new Blob([JSON.stringify(result, null, 2)], { type: 'application/json' }),
    );
  return (
    <>
      <div class="pin-line">
        <span class="label">{t('pin')}</span>
        <span class="digits">{pinCode}</span>
        <CopyButton t={t} text={() => pinCode} name={t('pin')} />
        <button type="button" onClick={json}>
          {t('downloadJson')}
        </button>
      </div>
      <p class={valid ? 'notice verdict match' : 'notice verdict'}>{t(valid ? 'match' : 'mismatch')}</p>
      <h3>{t('decodedPart')}</h3>
      <Fields
        t={t}
        values={{
          owner,
          product: product.description,
          users: product.users?.toLocaleString(language),
          registrationNumber: product.registrationNumber ?? registrationNumber,
          productCode: product.productCode,
          generatedAt: formatDate(product.generatedAt ?? '', language),
          binding: binding && t(BINDINGS[binding]),
          previousPin,
        }}
      />
    </>
  );
}

function ClearText({ text, t, language }: PartProps & { text: Item['clearText'] }) {
  if (!text) return null;
  return (
    <>
      <h3>{t('inFile')}</h3>
      <Fields
        t={t}
        values={{
          validUntil: text.validUntil
            ? formatDate(text.validUntil, language)
            : text.unlimited
              ? t('never')
              : '',
          type: text.type,
          product: text.productName,
          users: text.users?.toLocaleString(language),
          registrationNumber: text.registrationNumber,
          productCode: text.productCode,
          producedAt: formatDate(text.producedAt ?? '', language),
          pinCount: text.pinCount?.toLocaleString(language),
          boundTo: text.boundTo,
        }}
      />
    </>
  );
}

/** Labels with their values; what the license does not say is left out. */
function Fields({ t, values }: { t: Tell; values: Partial<Record<TextKey, string | null | undefined>> }) {
  return (
    <dl>
      {(Object.entries(values) as [TextKey, string | null | undefined][]).map(
        ([key, value]) =>
          value && (
            <div key={key}>
              <dt>{t(key)}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function RawOutput({ result, t }: { result: Decoded; t: Tell }) {
  const { licData, validateData, licHWConfig, currentHWConfig, structured } = result;
  const other = structured.other
    .map(({ name, value }) => [name, value].filter(Boolean).join(': '))
    .join('\n');
  const texts: Partial<Record<TextKey, string | null>> = {
    licData,
    validateData,
    inLicense: licHWConfig,
    current: currentHWConfig,
    other,
  };
  return (
    <details>
      <summary>{t('raw')}</summary>
      {(Object.entries(texts) as [TextKey, string | null][]).map(
        ([key, text]) =>
          text && (
            <div key={key}>
              <h4>{t(key)}</h4>
              <pre>{text}</pre>
            </div>
          ),
      )}
    </details>
  );
}
