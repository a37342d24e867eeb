import { computed, type ReadonlySignal } from '@preact/signals';
import type { Known } from '../model/facts.js';
import type { License } from '../model/license.js';
import { pathOf } from '../model/state.js';
import type { View } from '../model/view.js';
import { formatDate, formatDays, formatNumber } from '../texts/format.js';
import { language, t, tell, type ToldProblem } from '../texts/language.js';

type RowTexts = ReturnType<typeof makeTexts>;

const texts = new WeakMap<License, ReadonlySignal<RowTexts>>();

/** What is said of a license in the language of the page; empty where nothing is known. */
export function rowTexts(license: License): RowTexts {
  const known = texts.get(license);
  if (known) return known.value;
  const made = computed(() => makeTexts(license));
  texts.set(license, made);
  return made.value;
}

function makeTexts({ known, places }: License) {
  return {
    validUntil: termText(known),
    owner: known.owner ?? '',
    product: known.product ?? '',
    users: known.users === null ? '' : formatNumber(known.users, language.value),
    computer: known.computer ?? '',
    pin: known.pin ?? '',
    file: places.map(pathOf).join('\n'),
    type: typeText(known),
    registrationNumber: known.registrationNumber ?? '',
  };
}

function termText({ validUntil, unlimited }: Known): string {
  if (validUntil !== null) return formatDate(validUntil, language.value);
  return unlimited ? t('never') : '';
}

/** How long a license counts, or why it does not, in a word. */
export function stateText(license: License, view: View): string {
  const validity = view.validityOf(license);
  if (validity !== 'soon' && validity !== 'later') return t(VALIDITY_TEXTS[validity]);

  const days = view.daysLeft(license);
  return days ? formatDays(days, language.value) : t('lastDay');
}

const VALIDITY_TEXTS = {
  expired: 'expiredMark',
  unlimited: 'never',
  unknown: 'termUnknown',
  failed: 'failed',
  refused: 'refused',
  replaced: 'replacedMark',
} as const;

/** What stands in place of a PIN code that is not known; empty where there is none to be had. */
export function missingPinText({ status, isRefused }: License): string {
  if (status === 'done' || isRefused) return '';
  return t(status);
}

/** What reading a file is called. */
export const readAction = ({ status }: License) => (status === 'failed' ? 'retry' : 'read');

type Note = Pick<ToldProblem, 'text' | 'language'>;

/** Why there is less to say of a license than of others. */
export function noteOn({ isFailed, failure, known }: License): Note | undefined {
  if (isFailed && failure) return tell(failure.problem);
  if (!known.isOldFile) return undefined;
  return { text: t('oldFile'), language: language.value };
}

/** The type in the language of the page: `сервер 64` is "server 64" in English. */
function typeText({ type, kind }: Known): string {
  const rest = /^(?:клиент|сервер|client|server)(?=$|\s)(.*)$/is.exec(type ?? '')?.[1];
  if (type !== null && rest === undefined) return type;
  return kind ? `${t(kind)}${rest ?? ''}` : '';
}

/** The name of the platform before the name of a product, with its edition where one is stated. U+0421 is Cyrillic. */
const PLATFORM = /^1[\u0421C]:\s*(?:Предприятие|Enterprise)\s*8(?:\.\d)?(?:\s+([^\s.][^.]*))?\.\s+(?=\S)/;

/** The end of a product that names its users, who have a column of their own. */
const SEATS = /\s+на\s+(\d+)\s+рабоч\S+\s+мест\S*$/;

/** The product in short; where it is not known, what the license is for. */
export const productText = ({ known }: License): string => shortProduct(known) || typeText(known);

/** The product without the name of the platform, which all products share, and without the number of its users. */
export function shortProduct({ product, users: seats }: Pick<Known, 'product' | 'users'>): string {
  if (product === null) return '';

  const name = product.replace(PLATFORM, (_, edition: string | undefined) => (edition ? `${edition}. ` : ''));
  return name.replace(SEATS, (said, users: string) => (Number(users) === seats ? '' : said));
}
