import type { ComponentChildren } from 'preact';
import { isFile, isUnread, licenseOf, stateOf, type Item } from '../model/item.js';
import type { Decoded } from '../model/facts.js';
import { cellTexts, changeText, sheetNote } from '../texts/cells.js';
import { useModel } from '../ui/use-model.js';
import { formatDate } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { Path, Term } from '../ui/license-parts.js';
import { download } from '../ui/hand-over.js';
import { ActivationView } from './activation-view.js';
import { HardwareView } from './hardware-view.js';

/** All that is known of a license. */
export function Details({ item }: { item: Item }) {
  const { list } = useModel();
  const license = licenseOf(item);
  const answer = license.answer;
  const texts = cellTexts(item);
  const mark = list.markOf(item);
  const change = changeText(item, list.changes.value.get(item));
  const note = sheetNote(item);
  return (
    <>
      <h2>{texts.product || item.name}</h2>
      {mark && <p class="mark">{t(mark)}</p>}
      {change && <p class="mark">{change}</p>}
      {note && <p class="hint">{note}</p>}
      {license.pin ? <Pin pin={license.pin} /> : isFile(item) && <Unread item={item} />}
      <Fields item={item} />
      {license.pin && <ActivationView license={license} pin={license.pin} />}
      {answer && (
        <>
          <HardwareView license={answer.structured} />
          <RawOutput result={answer} fileName={item.name} />
        </>
      )}
    </>
  );
}

const Pin = ({ pin }: { pin: string }) => (
  <p class="pin-line">
    <span class="label">{t('pin')}</span> <span class="digits">{pin}</span>{' '}
    <CopyButton text={() => pin} name={t('pin')} />
  </p>
);

/** Why there is no more to show. */
function Unread({ item }: { item: Item }) {
  const { canRead, runner } = useModel();
  const state = stateOf(item);
  if (state.name === 'failed' || state.name === 'unfit') {
    const { text, language: lang, requestId } = tell(state.failure.problem);
    return (
      <p class="problem" lang={lang}>
        {text}
        {requestId && <code> X-Request-Id: {requestId}</code>}
      </p>
    );
  }
  return (
    <p class="hint">
      {t(licenseOf(item).sources.length > 0 ? 'notDecodedYet' : 'nothingKnownYet')}{' '}
      {isUnread(item) && canRead.value && (
        <button type="button" onClick={() => runner.read([item.content])}>
          {t('read')}
        </button>
      )}
    </p>
  );
}

/** Labels with their values, each once. */
function Fields({ item }: { item: Item }) {
  const license = licenseOf(item);
  const texts = cellTexts(item);
  const [generatedAt, producedAt] = [license.generatedAt, license.producedAt].map((time) =>
    formatDate(time ?? '', language.value),
  );
  const values: Partial<Record<TextKey, ComponentChildren>> = {
    pin: !license.pin && texts.pin,
    owner: texts.owner,
    validUntil: texts.validUntil && <Term item={item} />,
    users: texts.users,
    boundTo: license.boundTo ?? license.computer,
    type: texts.type,
    binding: license.binding && t(BINDINGS[license.binding]),
    registrationNumber: texts.registrationNumber,
    productCode: license.productCode,
    generatedAt,
    producedAt: producedAt !== generatedAt && producedAt,
    pinCount: license.pinCount?.toLocaleString(language.value),
    previousPin: license.previousPin,
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
