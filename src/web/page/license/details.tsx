import type { ComponentChildren } from 'preact';
import { formatPin } from '../../../ring/output/license-name.js';
import type { Decoded } from '../model/facts.js';
import type { License } from '../model/license.js';
import { rowTexts, changeText, sheetNote } from '../ui/row-texts.js';
import { useModel } from '../ui/use-model.js';
import { formatDate } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { PathList, Relations, Term } from '../ui/license-parts.js';
import { download } from '../ui/hand-over.js';
import { ActivationView } from './activation-view.js';
import { HardwareView } from './hardware-view.js';
import { Button } from '../ui/controls.js';

/** All that is known of a license. */
export function Details({ license }: { license: License }) {
  const { list } = useModel();
  const { known } = license;
  const { answer } = known;
  const { twins, successors, predecessors } = list.standings.value;
  const isReplaced = list.standingOf(license) === 'replaced';
  const change = changeText(license, list.changes.value.get(license));
  const note = sheetNote(license);
  return (
    <>
      <h2>{rowTexts(license).product || license.name}</h2>
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
      {known.pin ? <Pin pin={known.pin} /> : license.isGiven && <Unread license={license} />}
      <Fields license={license} isOver={isReplaced || list.isGone(license)} />
      {known.pin && <ActivationView license={known} pin={known.pin} />}
      {answer && (
        <>
          {answer.structured.hardware && <HardwareView hardware={answer.structured.hardware.license} />}
          <RawOutput result={answer} fileName={license.name} />
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
function Unread({ license }: { license: License }) {
  const { canRead, runner } = useModel();
  const { state } = license;
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
      {t('notDecodedYet')}{' '}
      {license.isUnread && canRead.value && (
        <Button text={t('read')} onClick={() => runner.read([license])} />
      )}
    </p>
  );
}

/** Labels with their values, each once. */
function Fields({ license, isOver }: { license: License; isOver: boolean }) {
  const { known } = license;
  const texts = rowTexts(license);
  const [generatedAt, producedAt] = [known.generatedAt, known.producedAt].map((time) =>
    formatDate(time ?? '', language.value),
  );
  const values: Partial<Record<TextKey, ComponentChildren>> = {
    pin: !known.pin && texts.pin,
    owner: texts.owner && <Equal text={texts.owner} title="sameOwner" />,
    validUntil: texts.validUntil && <Term license={license} isOver={isOver} />,
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
    file: <PathList places={license.places.value} />,
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

/** A value that leads to all licenses that have it. */
function Equal({ text, title }: { text: string; title: TextKey }) {
  const { list } = useModel();
  return <Button class="link" text={text} title={t(title)} onClick={() => list.showAll(`=${text}`)} />;
}

function RawOutput({ result, fileName }: { result: Decoded; fileName: string }) {
  const { licData, validateData, licHWConfig, structured } = result;
  const texts: Partial<Record<TextKey, string | null>> = {
    licData,
    validateData,
    inLicense: licHWConfig,
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
      <Button text={t('downloadJson')} onClick={json} />
    </details>
  );
}
