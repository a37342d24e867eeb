import { computed, type ReadonlySignal } from '@preact/signals';
import type { Assessment } from '../model/assessment.js';
import type { LicenseFacts } from '../model/facts.js';
import type { License } from '../model/license.js';
import type { Problem } from '../model/problem.js';
import type { Replacement } from '../model/replacements.js';
import { pathOf } from '../model/state.js';
import { daysLeft } from '../model/validity.js';
import { formatDate, formatDays, formatNumber } from '../texts/format.js';
import { language, t, tell, type ToldProblem } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';

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

function makeTexts({ facts, places }: License) {
  return {
    validUntil: termText(facts),
    owner: facts.owner ?? '',
    product: facts.product ?? '',
    users: facts.users === null ? '' : formatNumber(facts.users, language.value),
    computer: facts.computer ?? (facts.binding === 'hardwareKey' ? t('hardwareKey') : ''),
    pin: facts.pin ?? '',
    file: places.map(pathOf).join('\n'),
    type: typeText(facts),
    registrationNumber: facts.registrationNumber ?? '',
  };
}

/** Until when it counts, with the hour if the file states one. */
function termText({ validUntil, validUntilTime, unlimited }: LicenseFacts): string {
  if (validUntil === null) return unlimited ? t('never') : '';

  const date = formatDate(validUntil, language.value);
  return validUntilTime === null ? date : `${date}, ${validUntilTime.slice(0, 'HH:MM'.length)}`;
}

/** How long a license counts, or why it does not. */
export function stateText(license: License, { validity, replacement }: Assessment, today: string): string {
  switch (validity) {
    case 'soon':
    case 'later': {
      const days = daysLeft(license, today);
      return days ? formatDays(days, language.value) : t('lastDay');
    }
    case 'expired':
      return t('expiredMark');
    case 'replaced':
      return replacement ? t(REPLACED_MARKS[replacement.how]) : '';
    case 'unlimited':
      return t('never');
    case 'unknown':
      return t('noTerm');
    case 'unlikely':
      return t('termUnlikely');
  }
}

const REPLACED_MARKS = {
  replacedBy: 'replacedMark',
  sameLicense: 'duplicateMark',
  intactCopy: 'damagedMark',
} as const satisfies Record<Replacement['how'], TextKey>;

/** Until when a license counts, within a sentence. */
export function untilText({ facts }: License): string {
  if (facts.validUntil !== null) return t('until', { date: formatDate(facts.validUntil, language.value) });
  return t(facts.unlimited ? 'never' : 'noTerm').toLowerCase();
}

/** What counts in the place of a license: the PIN code that came after its own, or another file. */
export function replacementText({ by, how }: Replacement): string {
  const [first] = by.places;
  const path = first ? pathOf(first) : '';
  return t(how, { name: how === 'replacedBy' ? rowTexts(by).pin : path });
}

/** Of a license that was produced later for the same computer. */
export function newerText(newer: License): string {
  const produced = formatDate(newer.facts.producedAt ?? '', language.value);
  return t('newer', { produced, term: untilText(newer) });
}

/** The seats of a license if the total lacks some of them, and why; empty for others. */
export function notCountedText(license: License, { whyNotCounted, addedSeats }: Assessment): string {
  const { kind, users: ownSeats, smallKitSize } = license.facts;
  const { users } = rowTexts(license);
  if (whyNotCounted === 'noLicense' || kind === 'server') return '';
  if (whyNotCounted !== undefined) {
    const reason = t('seatsNotCounted', { reason: t(whyNotCounted) });
    return [users, reason].filter(Boolean).join(', ');
  }

  if (addedSeats === ownSeats) return '';
  const reason = t('seatsInKit', { count: addedSeats, size: smallKitSize ?? 0 });
  return `${users}, ${reason}`;
}

/** What stands in place of a PIN code that is not known; empty where there is none to be had. */
export const missingPinText = ({ status }: License): string =>
  status === 'done' || status === 'refused' ? '' : t(status);

/** What reading a file is called. */
export const readAction = ({ status }: License) => (status === 'failed' ? 'retry' : 'read');

/** Why a license could not be read. With 1C's clear text, nobody needs to ask whether it is from 1C. */
export function tellProblem({ facts }: License, problem: Problem): ToldProblem {
  const isUndecodable = 'code' in problem && problem.code === 'license_undecodable';
  return tell(isUndecodable && !facts.hasNoClearText ? { key: 'damagedOrNew' } : problem);
}

type Reason = Pick<ToldProblem, 'text' | 'language'>;

/** The same without what to do: the first sentence. */
export function shortReason(license: License): Reason | undefined {
  if (!license.problem) return undefined;

  const { text, language } = tellProblem(license, license.problem);
  const [sentence = text] = text.split(/(?<=[.!?])\s/);
  return { text: sentence.replace(/\.$/, ''), language };
}

/** The type in the language of the page: `сервер 64` is "server 64" in English. */
function typeText({ type, kind }: LicenseFacts): string {
  const rest = /^(?:клиент|сервер|client|server)(?=$|\s)(.*)$/is.exec(type ?? '')?.[1];
  if (type !== null && rest === undefined) return type;
  return kind ? `${t(kind)}${rest ?? ''}` : '';
}

/** What names of products begin with: the platform, with its edition where one is stated. U+0421 is Cyrillic. */
const PLATFORM = String.raw`^1[\u0421C]:(?:Предприятие|Enterprise) 8(?:\.\d)?(?: (?<edition>[^\s.]+))?\. `;
const CLIENT = new RegExp(`${PLATFORM}(?:Клиентская лицензия|Client license)(?<rest>.*)$`);
const SERVER = new RegExp(`${PLATFORM}(?:Лицензия на сервер|Server license)(?<rest>.*)$`);

/** How names end that say for how many users the kit is. */
const KIT =
  /^(?<before>.*) (?:на|for) (?<users>\d+) (?:рабочих мест|рабочее место|подключени\S+|workplaces?)$/;

/** The product in short; where it is not known, what the license is for. */
export const productText = ({ facts }: License): string => shortProduct(facts) || typeText(facts);

/**
 * The product in short, such as "Client, kit of 20": without the platform, which all products share, and without the size
 * of the kit if the license is for as many users. A name that is not understood stays whole.
 */
export function shortProduct({ product, users }: Pick<LicenseFacts, 'product' | 'users'>): string {
  const client = CLIENT.exec(product ?? '')?.groups;
  const named = client ?? SERVER.exec(product ?? '')?.groups;
  if (!named) return product ?? '';

  const { edition, rest = '' } = named;
  const kit = KIT.exec(rest)?.groups;
  const details = (kit?.['before'] ?? rest).replace(/[()]/g, '').trim();
  const kind = t(client ? 'client' : 'server');
  const text = [kind, edition, details].filter(Boolean).join(' ');

  const count = kit?.['users'];
  const isSaid = count === undefined || Number(count) === users;
  return isSaid ? text : `${text}, ${t('kit', { count })}`;
}
