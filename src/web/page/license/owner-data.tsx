import type { StructuredLicense } from '../../../license/schema.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';

type Owner = StructuredLicense['owner'];

/** The owner's data in the order in which ring asks for them. */
const KEYS = [
  'firstName',
  'middleName',
  'lastName',
  'email',
  'company',
  'country',
  'postalCode',
  'region',
  'district',
  'city',
  'street',
  'house',
  'building',
  'apartment',
] as const satisfies (keyof Owner)[];

interface OwnerDataProps {
  owner: Owner;
  pin: string | null;
}

/** The owner's data, each to be copied by a press on it, and where a new activation asks for them. */
export function OwnerData({ owner, pin }: OwnerDataProps) {
  const details = KEYS.filter((key) => owner[key]?.trim());
  if (details.length === 0) return null;

  return (
    <>
      <h3>{t('ownerDetails')}</h3>
      <dl class="fields">
        {details.map((key) => (
          <Detail key={key} name={key} value={owner[key]} />
        ))}
      </dl>
      <details>
        <summary>{t('activation')}</summary>
        <p>{t('activationHint')}</p>
        {pin && <p>{t('activationPin', { pin })}</p>}
        <p>{t('activationPlace')}</p>
      </details>
    </>
  );
}

function Detail({ name, value }: { name: TextKey; value: string | null }) {
  if (value === null) return null;
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>
        <CopyButton text={() => value} label={t('copyField', { name: t(name), text: value })}>
          {value}
        </CopyButton>
      </dd>
    </div>
  );
}
