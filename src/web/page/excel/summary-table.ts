import { usersOf } from '../model/filters.js';
import type { License } from '../model/license.js';
import { daysLeft } from '../model/validity.js';
import type { View } from '../model/view.js';
import { t } from '../texts/language.js';
import { missingPinText, noteOn, rowTexts, shortProduct, validityText } from '../ui/row-texts.js';
import { BAD, isEmpty, NEUTRAL, type Column, type Table } from './write-workbook.js';

interface SummaryOptions {
  title: string;
  /** Whether it has neither PIN codes nor owners. */
  isPublic: boolean;
}

/** What the table of the page shows, without empty columns, and the sum of the users. */
export function summaryTable(view: View, { title, isPublic }: SummaryOptions): Table<License> {
  const licenses = view.shown.value;
  const isFilled = ({ value }: Column<License>) => licenses.some((license) => !isEmpty(value(license)));
  return {
    name: t('results'),
    title,
    columns: summaryColumns(view, isPublic).filter(isFilled),
    rows: licenses,
  };
}

function summaryColumns(view: View, isPublic: boolean): Column<License>[] {
  const licenses = view.shown.value;
  const { users } = usersOf(licenses, (license) => view.validityOf(license));
  const hasUsers = licenses.some(({ known }) => known.users !== null);
  const look = (license: License) => lookOf(license, view);
  const secretColumns: Column<License>[] = [
    { header: t('owner'), value: ({ known }) => known.owner },
    { header: t('pin'), value: (license) => license.known.pin ?? missingPinText(license) },
  ];

  return [
    {
      header: t('state'),
      value: (license) => stateText(license, view),
      look,
      total: hasUsers ? t('validClients') : null,
    },
    {
      header: t('validUntil'),
      value: ({ known }) => known.validUntil,
      isDate: true,
      look,
    },
    { header: t('product'), value: productText },
    { header: t('users'), value: ({ known }) => known.users, total: users },
    { header: t('computer'), value: ({ known }) => known.computer },
    ...(isPublic ? [] : secretColumns),
    { header: t('registrationNumber'), value: ({ known }) => known.registrationNumber },
    { header: t('file'), value: (license) => rowTexts(license).file },
  ];
}

function stateText(license: License, view: View): string {
  return validityText(license, view.validityOf(license), daysLeft(license, view.today.value));
}

/** The product, or why it is not known. */
function productText(license: License): string | null {
  const { product } = license.known;
  if (product !== null) return shortProduct(license.known);
  return noteOn(license)?.text ?? null;
}

function lookOf(license: License, view: View) {
  const validity = view.validityOf(license);
  if (validity === 'expired') return BAD;
  return validity === 'soon' ? NEUTRAL : undefined;
}
