import type { StructuredLicense } from '../../../license/schema.js';
import { t } from '../texts/language.js';
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

/** What a new activation has to repeat letter for letter. */
export function OwnerData({ owner }: { owner: Owner }) {
  const keys = KEYS.filter((key) => owner[key]?.trim());
  if (keys.length === 0) return null;

  const text = () => keys.map((key) => `${t(key)}: ${owner[key]}`).join('\n');
  return (
    <details>
      <summary>{t('activation')}</summary>
      <p>{t('activationHint')}</p>
      <h3>
        {t('ownerData')} <CopyButton text={text} label={t('copyOwnerData')} />
      </h3>
      <dl>
        {keys.map((key) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>{owner[key]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
