import type { License } from '../model/license.js';
import type { View } from '../model/view.js';
import { t } from '../texts/language.js';
import { missingPinText, productText, rowTexts, shortReason, stateText } from '../license/row-texts.js';
import { BAD, NEUTRAL, type Column, type Table } from './write-workbook.js';

interface TableOptions {
  title: string;
  /** Whether it has neither PIN codes nor owners. */
  isPublic: boolean;
}

/** What the table of the page shows. */
export function licenseTable(view: View, { title, isPublic }: TableOptions): Table<License> {
  return {
    name: t('results'),
    title,
    columns: columnsOf(view, isPublic),
    rows: view.shown.value,
  };
}

function columnsOf(view: View, isPublic: boolean): Column<License>[] {
  const look = (license: License) => lookOf(license, view);
  const owner: Column<License> = { header: t('owner'), value: ({ known }) => known.owner };
  const pin: Column<License> = {
    header: t('pin'),
    value: (license) => license.known.pin ?? missingPinText(license),
  };

  return [
    { header: t('state'), value: (license) => stateText(license, view), look },
    { header: t('validUntil'), value: endOf, isDate: true, look },
    {
      header: t('product'),
      value: (license) => productText(license) || (shortReason(license)?.text ?? null),
    },
    { header: t('users'), value: ({ known }) => known.users },
    { header: t('computer'), value: ({ known }) => known.computer },
    ...(isPublic ? [] : [owner]),
    { header: t('registrationNumber'), value: ({ known }) => known.registrationNumber },
    ...(isPublic ? [] : [pin]),
    { header: t('file'), value: (license) => rowTexts(license).file },
  ];
}

/** The last day, with the time on it that a license of a few days states. */
function endOf({ known }: License): string | null {
  const { validUntil, validUntilTime } = known;
  if (validUntil === null || validUntilTime === null) return validUntil;
  return `${validUntil}T${validUntilTime}`;
}

function lookOf(license: License, view: View) {
  const validity = view.validityOf(license);
  if (validity === 'expired') return BAD;
  return validity === 'soon' ? NEUTRAL : undefined;
}
