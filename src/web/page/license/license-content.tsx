import type { ComponentChildren } from 'preact';
import { formatPin } from '../../../ring/output/license-name.js';
import type { LicenseFacts } from '../model/facts.js';
import { canBeAsked, isPending, nameOf, type License } from '../model/license.js';
import { formatDate, formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { OtherLicenses, PathList } from './license-parts.js';
import {
  missingPinText,
  notCountedText,
  readAction,
  rowTexts,
  shortReason,
  tellProblem,
} from './row-texts.js';
import { useStore } from '../ui/use-store.js';
import { Headline } from './headline.js';
import { OwnerData } from './owner-data.js';
import { RawOutput } from './raw-output.js';

interface LicenseProps {
  license: License;
}

/** All that is known of a license. */
export function LicenseContent({ license }: LicenseProps) {
  const { facts } = license;
  const { answer } = facts;
  if (license.problem && facts.isBlank) {
    return (
      <>
        <ProblemNotice license={license} />
        <Actions license={license} />
      </>
    );
  }
  return (
    <>
      <Headline license={license} />
      <h2>{rowTexts(license).product || nameOf(license)}</h2>
      <OtherLicenses license={license} />
      <ProblemNotice license={license} />
      <Fields license={license} />
      {facts.customer && <OwnerData owner={facts.customer} pin={facts.pin} />}
      {answer && <RawOutput result={answer} fileName={nameOf(license)} />}
      <Actions license={license} />
    </>
  );
}

/** What else can be done with a license. */
function Actions({ license }: LicenseProps) {
  const store = useStore();
  return (
    <p class="actions">
      {isPending(license) && <Button text={t('cancel')} onClick={() => store.cancel([license])} />}
      <Button text={t('remove')} onClick={() => store.remove([license])} />
    </p>
  );
}

/** Why it could not be read, and what to do. */
function ProblemNotice({ license }: LicenseProps) {
  const store = useStore();
  const { problem, facts } = license;
  const name = nameOf(license);
  if (!problem) return null;

  const { text, language: lang, requestId } = tellProblem(license, problem);
  // With an intact copy there is nothing to do.
  const { replacement } = store.view.assessmentOf(license);
  const isOffered = canBeAsked(license) && store.canRead.value;
  const hasOtherPath = rowTexts(license).file !== name;
  return (
    <div class="notice problem">
      <h2>{t('couldNotRead', { name })}</h2>
      <p lang={lang}>{replacement ? shortReason(license)?.text : text}</p>
      {requestId && <code>X-Request-Id: {requestId}</code>}
      {facts.isBlank && hasOtherPath && <PathList places={license.places} />}
      {isOffered && <Button text={t(readAction(license))} onClick={() => store.read([license])} />}
    </div>
  );
}

/**
 * What the license says. The PIN code and the owner have their places before they are known, and what only reading tells
 * comes last, so that little moves then.
 */
function Fields({ license }: LicenseProps) {
  const { view } = useStore();
  const { facts, places } = license;
  const { pin, binding, pinCount, previousPin, productCode } = facts;
  const { owner, users, type, registrationNumber } = rowTexts(license);
  const notCounted = notCountedText(license, view.assessmentOf(license));
  const generatedAt = formatDate(facts.generatedAt ?? '', language.value);
  const producedAt = formatDate(facts.producedAt ?? '', language.value);
  const isBound = facts.computer !== null || facts.boundTo !== null;
  return (
    <div class="fields">
      <dl>
        <Field name="pin">{pin ? <Pin pin={pin} /> : <UnknownPin license={license} />}</Field>
        <Field name="owner">
          {owner ? <Equal text={owner} title="sameOwner" /> : <Missing license={license} />}
        </Field>
        <Field name="users">{notCounted || users}</Field>
        <Field name="computer">{isBound && <Computer facts={facts} />}</Field>
        <Field name="file">
          <PathList places={places} />
        </Field>
      </dl>
      <dl>
        <Field name="type">{type}</Field>
        <Field name="registrationNumber">{registrationNumber}</Field>
        <Field name="productCode">{productCode}</Field>
        <Field name="producedAt">{producedAt}</Field>
        <Field name="pinCount">{pinCount !== null && formatNumber(pinCount, language.value)}</Field>
        <Field name="previousPin">{previousPin && formatPin(previousPin)}</Field>
        <Field name="binding">{binding && t(BINDINGS[binding])}</Field>
        <Field name="generatedAt">{generatedAt !== producedAt && generatedAt}</Field>
      </dl>
    </div>
  );
}

/** A fact with its name; nothing where it is not known. */
function Field({ name, children }: { name: TextKey; children: ComponentChildren }) {
  if (!children) return null;
  return (
    <div class={`field-${name}`}>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The computer that the license is bound to, and the rest of what it is bound to. */
function Computer({ facts }: { facts: LicenseFacts }) {
  const { computer, boundTo } = facts;
  if (computer === null) return <>{boundTo}</>;

  const isNamed = boundTo?.startsWith(computer) ?? false;
  const rest = isNamed ? boundTo?.slice(computer.length) : '';
  return (
    <>
      <Equal text={computer} title="sameComputer" />
      {rest}
    </>
  );
}

/** Stands where nothing is known: that may change while the license is not read. */
const Missing = ({ license }: LicenseProps) => <span class="missing">{missingPinText(license) || '—'}</span>;

const Pin = ({ pin }: { pin: string }) => (
  <CopyButton text={() => pin} label={t('copyPin', { pin })}>
    <span class="digits">{pin}</span>
  </CopyButton>
);

function UnknownPin({ license }: LicenseProps) {
  const store = useStore();
  const isOffered = license.status === 'unread' && store.canRead.value;
  return (
    <>
      <Missing license={license} />{' '}
      {isOffered && <Button class="link" text={t('read')} onClick={() => store.read([license])} />}
    </>
  );
}

/** A value that leads to all licenses that have it. */
function Equal({ text, title }: { text: string; title: TextKey }) {
  const { view } = useStore();
  // It leads nowhere from the only license.
  if (view.licenses.value.length === 1) return <>{text}</>;

  const showEqual = () => view.showAll(text);
  return <Button class="link" text={text} title={t(title)} onClick={showEqual} />;
}
