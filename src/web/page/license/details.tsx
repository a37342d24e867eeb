import type { ComponentChildren } from 'preact';
import { formatPin } from '../../../ring/output/license-name.js';
import type { Decoded } from '../model/facts.js';
import { nameOf, type License } from '../model/license.js';
import { formatDate } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { download } from '../ui/hand-over.js';
import { PathList, Relations, Term } from '../ui/license-parts.js';
import { changeText, rowTexts, sheetNote } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';
import { ActivationView } from './activation-view.js';
import { HardwareView } from './hardware-view.js';

/** All that is known of a license. */
export function Details({ license }: { license: License }) {
  const { view } = useStore();
  const { known } = license;
  const { answer } = known;
  const { twins, successors, predecessors } = view.standings.value;
  const isReplaced = view.standingOf(license) === 'replaced';
  const change = changeText(license, view.changes.value.get(license.id));
  const note = sheetNote(license);
  return (
    <>
      <h2>{rowTexts(license).product || nameOf(license)}</h2>
      <p>
        <Relations
          isReplaced={isReplaced}
          twin={twins.get(license)}
          successor={successors.get(license)}
          predecessor={predecessors.get(license)}
        />
      </p>
      {change && <p class="mark">{change}</p>}
      {note && <p class="hint">{note}</p>}
      {known.pin !== null && <Pin pin={known.pin} />}
      {(known.pin === null || license.isFailed) && license.isGiven && <Unread license={license} />}
      <Fields license={license} />
      {known.pin !== null && <ActivationView license={known} pin={known.pin} />}
      {answer?.structured.hardware && <HardwareView hardware={answer.structured.hardware.license} />}
      {answer && <RawOutput result={answer} fileName={nameOf(license)} />}
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
function Unread({ license }: { license: License }) {
  const store = useStore();
  if (license.isFailed && license.failure) {
    const { text, language: lang, requestId } = tell(license.failure.problem);
    return (
      <p class="problem" lang={lang}>
        {text}
        {requestId && <code> X-Request-Id: {requestId}</code>}
      </p>
    );
  }
  return (
    <p class="hint">
      {t('notDecodedYet')}{' '}
      {license.isUnread && store.canRead.value && (
        <Button text={t('read')} onClick={() => store.read([license])} />
      )}
    </p>
  );
}

/** Labels with their values, each once. */
function Fields({ license }: { license: License }) {
  const { known } = license;
  const texts = rowTexts(license);
  const generatedAt = formatDate(known.generatedAt ?? '', language.value);
  const producedAt = formatDate(known.producedAt ?? '', language.value);
  const values: Partial<Record<TextKey, ComponentChildren>> = {
    owner: texts.owner && <Equal text={texts.owner} title="sameOwner" />,
    validUntil: texts.validUntil && <Term license={license} />,
    users: texts.users,
    computer: texts.computer && <Equal text={texts.computer} title="sameComputer" />,
    boundTo: known.boundTo !== known.computer && known.boundTo,
    type: texts.type,
    binding: known.binding && t(BINDINGS[known.binding]),
    registrationNumber: texts.registrationNumber,
    productCode: known.productCode,
    generatedAt,
    producedAt: producedAt !== generatedAt && producedAt,
    pinCount: known.pinCount?.toLocaleString(language.value),
    previousPin: known.previousPin && formatPin(known.previousPin),
    file: <PathList places={license.places} />,
  };
  const keys = Object.keys(values) as TextKey[];
  return (
    <dl class="fields">
      {keys
        .filter((key) => values[key])
        .map((key) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>{values[key]}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A value that leads to all licenses that have it. */
function Equal({ text, title }: { text: string; title: TextKey }) {
  const { view } = useStore();
  return <Button class="link" text={text} title={t(title)} onClick={() => view.showAll(`=${text}`)} />;
}

function RawOutput({ result, fileName }: { result: Decoded; fileName: string }) {
  const { licData, validateData, licHWConfig, structured } = result;
  const other = structured.other.map(({ name, value }) => [name, value].filter(Boolean).join(': '));
  const downloadJson = () => {
    const json = JSON.stringify(result, null, 2);
    download(fileName.replace(/(?:\.lic)?$/i, '.json'), new Blob([json], { type: 'application/json' }));
  };
  return (
    <details>
      <summary>{t('raw')}</summary>
      <RawPart title="licData" text={licData} />
      <RawPart title="validateData" text={validateData} />
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
