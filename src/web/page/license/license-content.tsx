import type { ComponentChildren } from 'preact';
import { formatPin } from '../../../ring/output/license-name.js';
import { nameOf, type License } from '../model/license.js';
import type { Store } from '../model/store.js';
import { formatDate, formatNumber } from '../texts/format.js';
import { language, t, tell } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { PathList, Relations } from '../ui/license-parts.js';
import { missingPinText, readAction, rowTexts } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';
import { ActivationView } from './activation-view.js';
import { HardwareView } from './hardware-view.js';
import { Headline } from './headline.js';
import { RawOutput } from './raw-output.js';

interface LicenseProps {
  license: License;
}

/** All that is known of a license, for the card of a single one and for the details of one of several. */
export function LicenseContent({ license }: LicenseProps) {
  const { known } = license;
  const { answer } = known;
  if (license.isFailed && known.isBlank) return <FailureNotice license={license} />;
  return (
    <>
      <Headline license={license} />
      <h2>{rowTexts(license).product || nameOf(license)}</h2>
      <OtherLicenses license={license} />
      {license.isFailed && <FailureNotice license={license} />}
      <Fields license={license} />
      {known.pin !== null && <ActivationView license={known} pin={known.pin} />}
      {answer?.structured.hardware && <HardwareView hardware={answer.structured.hardware.license} />}
      {answer && <RawOutput result={answer} fileName={nameOf(license)} />}
    </>
  );
}

/** What it has to do with other licenses. */
function OtherLicenses({ license }: LicenseProps) {
  const { view } = useStore();
  const { betterVersions, successors, predecessors } = view.replacements.value;
  return (
    <p>
      <Relations
        betterVersion={betterVersions.get(license)}
        successor={successors.get(license)}
        predecessor={predecessors.get(license)}
      />
    </p>
  );
}

/** Why it was not read, and what to do. */
function FailureNotice({ license }: LicenseProps) {
  const store = useStore();
  const { failure, known } = license;
  const name = nameOf(license);
  if (!failure) return null;

  const { text, language: lang, requestId } = tell(failure.problem);
  const isOfferedAbove = isAlone(store) && store.retriable.includes(license);
  const isOffered = license.canBeAsked && store.canRead.value && !isOfferedAbove;
  const hasOtherPath = rowTexts(license).file !== name;
  return (
    <div class="notice problem">
      <h2>{t('failedAnnouncement', { name })}</h2>
      <p lang={lang}>{text}</p>
      {requestId && <code>X-Request-Id: {requestId}</code>}
      {known.isBlank && hasOtherPath && <PathList places={license.places} />}
      {isOffered && <Button text={t(readAction(license))} onClick={() => store.read([license])} />}
    </div>
  );
}

/** What the license says. Each fact that most licenses have keeps its place, so that little moves when more becomes known. */
function Fields({ license }: LicenseProps) {
  const { known, places } = license;
  const { pin, binding, pinCount, previousPin, productCode } = known;
  const { owner, users, computer, type, registrationNumber } = rowTexts(license);
  const generatedAt = formatDate(known.generatedAt ?? '', language.value);
  const producedAt = formatDate(known.producedAt ?? '', language.value);
  const field = (name: TextKey, value: ComponentChildren) => (
    <div>
      <dt>{t(name)}</dt>
      <dd>{value === null || value === '' ? <Missing license={license} /> : value}</dd>
    </div>
  );
  return (
    <div class="fields">
      <dl>
        {field('pin', pin ? <Pin pin={pin} /> : <UnknownPin license={license} />)}
        {field('owner', owner && <Equal text={owner} title="sameOwner" />)}
        {field('users', users)}
        {field('computer', computer && <Equal text={computer} title="sameComputer" />)}
        {field('file', <PathList places={places} />)}
      </dl>
      <dl>
        {field('type', type)}
        {field('registrationNumber', registrationNumber)}
        {known.boundTo !== known.computer && field('boundTo', known.boundTo)}
        {field('productCode', productCode)}
        {field('producedAt', producedAt)}
        {field('pinCount', pinCount === null ? null : formatNumber(pinCount, language.value))}
        {field('previousPin', previousPin && formatPin(previousPin))}
        {/* Only reading tells these. They come last, because places that most licenses leave empty would be in the way. */}
        {binding && field('binding', t(BINDINGS[binding]))}
        {generatedAt && generatedAt !== producedAt && field('generatedAt', generatedAt)}
      </dl>
    </div>
  );
}

/** Stands where nothing is known: that may change while the license is not read. */
const Missing = ({ license }: LicenseProps) => <span class="missing">{missingPinText(license) || '—'}</span>;

const Pin = ({ pin }: { pin: string }) => (
  <>
    <span class="digits">{pin}</span> <CopyButton text={() => pin} label={t('copyPin', { pin })} />
  </>
);

function UnknownPin({ license }: LicenseProps) {
  const store = useStore();
  const isOffered = license.status === 'unread' && store.canRead.value && !isAlone(store);
  return (
    <>
      <Missing license={license} />{' '}
      {isOffered && <Button class="link" text={t('read')} onClick={() => store.read([license])} />}
    </>
  );
}

/** Whether it is the only license. Then the page above it offers to read it, and there are no others to be shown. */
const isAlone = ({ licenses }: Store) => licenses.value.length === 1;

/** A value that leads to all licenses that have it. */
function Equal({ text, title }: { text: string; title: TextKey }) {
  const store = useStore();
  if (isAlone(store)) return <>{text}</>;

  const showEqual = () => store.view.showAll(`=${text}`);
  return <Button class="link" text={text} title={t(title)} onClick={showEqual} />;
}
