import type { ComponentChildren } from 'preact';
import { Path, Term } from '../list/license-row.js';
import { cellTexts } from '../model/cells.js';
import { rowOf } from '../model/row.js';
import { isUnread, stateOf, type Decoded, type Item } from '../model/item.js';
import { useModel } from '../model/model.js';
import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { download } from '../ui/hand-over.js';
import { ActivationView } from './activation-view.js';
import { HardwareView } from './hardware-view.js';

/** All that is known of a license. */
export function Details({ item }: { item: Item }) {
  const { list } = useModel();
  const state = stateOf(item);
  const result = state.name === 'done' ? state.result : undefined;
  const texts = cellTexts(item);
  const mark = list.markOf(item);
  return (
    <>
      <h2>{texts.product || item.file.name}</h2>
      {mark && <p class="mark">{t(mark)}</p>}
      {result ? <Pin result={result} /> : <Unread item={item} />}
      <Fields item={item} />
      {result && (
        <>
          <ActivationView license={result.structured} />
          <HardwareView license={result.structured} />
          <RawOutput result={result} fileName={item.file.name} />
        </>
      )}
    </>
  );
}

const VERDICTS = { true: 'match', false: 'mismatch', null: 'unknownMatch' } as const;

function Pin({ result: { pinCode, structured } }: { result: Decoded }) {
  const verdict = VERDICTS[`${structured.valid}`];
  return (
    <>
      <p class="pin-line">
        <span class="label">{t('pin')}</span> <span class="digits">{pinCode}</span>{' '}
        <CopyButton text={() => pinCode} name={t('pin')} />
      </p>
      <p class="verdict" title={t(structured.valid === false ? 'mismatchWhy' : verdict)}>
        {t(verdict)}
      </p>
    </>
  );
}

/** Why there is no more to show. */
function Unread({ item }: { item: Item }) {
  const { canRead, runner } = useModel();
  const state = stateOf(item);
  if (state.name === 'failed') {
    const { text, language: lang, requestId } = state.problem;
    return (
      <p class="problem" lang={lang}>
        {text}
        {requestId && <code> X-Request-Id: {requestId}</code>}
      </p>
    );
  }
  return (
    <p class="hint">
      {t(item.content.clearText ? 'notDecodedYet' : 'nothingKnownYet')}{' '}
      {isUnread(item) && canRead.value && (
        <button type="button" onClick={() => runner.read([item.content])}>
          {t('read')}
        </button>
      )}
    </p>
  );
}

/** Labels with their values, each once: what was decoded, else what the clear text says. */
function Fields({ item }: { item: Item }) {
  const state = stateOf(item);
  const license = state.name === 'done' ? state.result.structured : undefined;
  const text = license ? license.file : item.content.clearText;
  const row = rowOf(item);
  const texts = cellTexts(item);
  const date = (value: string | null | undefined) => formatDate(value ?? '', language.value);
  const values: Partial<Record<TextKey, ComponentChildren>> = {
    validUntil: texts.validUntil && <Term item={item} />,
    owner: texts.owner,
    users: texts.users,
    type: texts.type,
    boundTo: text?.boundTo ?? row.computer,
    binding: license?.binding && t(BINDINGS[license.binding]),
    registrationNumber: texts.registrationNumber,
    productCode: license?.product.productCode ?? text?.productCode,
    generatedAt: date(license?.product.generatedAt),
    producedAt: date(text?.producedAt),
    pinCount: text?.pinCount?.toLocaleString(language.value),
    previousPin: row.previousPin,
    file: <Path item={item} />,
  };
  return (
    <dl class="fields">
      {(Object.keys(values) as TextKey[]).map(
        (key) =>
          values[key] && (
            <div key={key}>
              <dt>{t(key)}</dt>
              <dd>{values[key]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function RawOutput({ result, fileName }: { result: Decoded; fileName: string }) {
  const { licData, validateData, licHWConfig, currentHWConfig, structured } = result;
  const texts: Partial<Record<TextKey, string | null>> = {
    licData,
    validateData,
    inLicense: licHWConfig,
    current: currentHWConfig,
    other: structured.other.map(({ name, value }) => [name, value].filter(Boolean).join(': ')).join('\n'),
  };
  const json = () =>
    download(
      fileName.replace(/(?:\.lic)?$/i, '.json'),
      new Blob([JSON.stringify(result, null, 2)], { type: 'application/json' }),
    );
  return (
    <details>
      <summary>{t('raw')}</summary>
      {(Object.entries(texts) as [TextKey, string | null][]).map(
        ([key, text]) =>
          text && (
            <div key={key}>
              <h3>{t(key)}</h3>
              <pre>{text}</pre>
            </div>
          ),
      )}
      <button type="button" onClick={json}>
        {t('downloadJson')}
      </button>
    </details>
  );
}
