import type { Language } from '../../../errors/catalog.js';
import type { StructuredLicense } from '../../../license/schema.js';
import { pinOf, type Known } from '../model/facts.js';

export type OwnerKey = keyof StructuredLicense['owner'];

/** The options of `ring license activate` for the owner's data, in the order in which ring asks for them. */
const OPTIONS: Record<OwnerKey, string> = {
  firstName: '--first-name',
  middleName: '--middle-name',
  lastName: '--last-name',
  email: '--email',
  company: '--company',
  country: '--country',
  postalCode: '--zip-code',
  region: '--region',
  district: '--district',
  city: '--town',
  street: '--street',
  house: '--house',
  building: '--building',
  apartment: '--apartment',
};

const OWNER_KEYS = Object.keys(OPTIONS) as OwnerKey[];

/** The owner's data that a new activation has to repeat letter for letter, in ring's order, without empty values. */
export function ownerData({ customer }: Pick<Known, 'customer'>): { key: OwnerKey; value: string }[] {
  const data = OWNER_KEYS.map((key) => ({ key, value: customer?.[key] ?? '' }));
  return data.filter(({ value }) => value.trim() !== '');
}

export type Shell = 'bash' | 'cmd';

/** The shells, that of the license's computer first where its hardware or its binding names Windows. */
export function shellsFor({ answer, boundTo }: Pick<Known, 'answer' | 'boundTo'>): [Shell, Shell] {
  const hardware = answer?.structured.hardware?.license ?? [];
  const texts = [boundTo ?? '', ...hardware.flatMap(({ values }) => values)];
  const isWindows = texts.some((text) => /\bwindows\b/i.test(text));
  return isWindows ? ['cmd', 'bash'] : ['bash', 'cmd'];
}

const digitsIn = (text: string) => text.replace(/\D/g, '');

/**
 * What is wrong with what was entered as the unused PIN code, as the key of a text; undefined while nothing is.
 * @param ownPin the PIN code of the license, which is used already
 */
export function newPinProblem(newPin: string, ownPin: string): 'newPinLength' | 'newPinIsOwn' | undefined {
  const digits = digitsIn(newPin);
  if (newPin.trim() === '') return undefined;
  if (digits === digitsIn(ownPin)) return 'newPinIsOwn';
  return digits.length === 15 || digits.length === 16 ? undefined : 'newPinLength';
}

/** Stands for the unused PIN code until it is given. ring refuses it: a PIN code has digits only. */
export const NEW_PIN: Record<Language, string> = { en: 'NEW-PIN', ru: 'НОВЫЙ-ПИН' };

/** Stands for a value that the shell cannot pass on. */
export const FILL_IN: Record<Language, string> = { en: 'FILL-IN', ru: 'ВПИШИТЕ' };

/** The user has to replace a placeholder. */
interface Part {
  text: string;
  isPlaceholder: boolean;
}

export interface ActivationCommand {
  /** The line. */
  parts: Part[];
  /** The values that the user has to fill in. */
  missing: (OwnerKey | 'registrationNumber')[];
}

/**
 * The command that activates a license again, to be pasted into a terminal.
 *
 * It ends in `--validate`: ring then asks for the license only after it has checked the request against the
 * computer that the command runs on, so that no PIN code is spent in vain.
 *
 * @param newPin the unused PIN code; only its digits count
 */
export function activationCommand(
  license: Pick<Known, 'customer' | 'registrationNumber' | 'pin'>,
  shell: Shell,
  language: Language,
  newPin = '',
): ActivationCommand {
  const data = activationData(license);
  const missing = data.filter(({ value }) => quoteFor(shell, value) === undefined);
  // What cannot be an unused PIN code does not get into a command that spends one.
  const isUsable = newPinProblem(newPin, license.pin ?? '') === undefined;
  const newDigits = isUsable ? digitsIn(newPin) : '';
  // The PIN code of this license. The one that `previousPin` may hold is older.
  const previousPin = pinOf(license) ?? '';
  const parts = [
    plain('ring license activate'),
    ...data.flatMap(({ option, value }) => partsOf(shell, option, value, FILL_IN[language])),
    ...partsOf(shell, '--pin', newDigits, NEW_PIN[language]),
    ...partsOf(shell, '--previous-pin', previousPin, FILL_IN[language]),
    plain(' --validate'),
  ];
  return { parts, missing: missing.map(({ key }) => key) };
}

function activationData(license: Pick<Known, 'customer' | 'registrationNumber'>) {
  const owner = ownerData(license).map(({ key, value }) => ({ key, option: OPTIONS[key], value }));
  // Without the letters that may follow the number: ring does not know them here.
  const serial = license.registrationNumber?.replace(/\p{L}.*/su, '');
  if (!serial) return owner;
  return [...owner, { key: 'registrationNumber' as const, option: '--serial', value: serial }];
}

/** An option with its value, or with a placeholder where the shell cannot pass the value on. */
function partsOf(shell: Shell, option: string, value: string, placeholder: string): Part[] {
  const quoted = quoteFor(shell, value);
  if (quoted !== undefined) return [plain(` ${option} ${quoted}`)];

  const quote = QUOTES[shell];
  return [plain(` ${option} ${quote}`), { text: placeholder, isPlaceholder: true }, plain(quote)];
}

const plain = (text: string): Part => ({ text, isPlaceholder: false });

const QUOTES: Record<Shell, string> = { bash: "'", cmd: '"' };

/**
 * A value between quotes. Undefined when there is none, when it was cut off, when it looks like an option, since nobody
 * knows how ring reads that, and when the shell cannot pass it on as it is.
 */
function quoteFor(shell: Shell, value: string): string | undefined {
  const wasCutOff = value.endsWith('…');
  const isLikeOption = /^-./u.test(value);
  if (value === '' || wasCutOff || isLikeOption) return undefined;
  return shell === 'bash' ? quoteForBash(value) : quoteForCmd(value);
}

/**
 * Between single quotes bash leaves everything as it is, but a single quote ends them. A terminal may obey characters
 * such as ESC that are pasted into it, so these are refused.
 */
function quoteForBash(value: string): string | undefined {
  const hasControls = /[\p{C}\p{Zl}\p{Zp}]/u.test(value);
  if (hasControls) return undefined;

  const escaped = value.replaceAll("'", String.raw`'\''`);
  return `'${escaped}'`;
}

/**
 * cmd.exe parses the line once for itself and once more for `ring.cmd`, and no way of escaping survives both, so its
 * special characters are not quoted but refused. So is a final backslash, which would escape the closing quote for
 * java.exe, and so are rare characters: java.exe reads its arguments in the code page of the system, where Windows
 * turns what it lacks into something similar, a full-width quote into a quote.
 *
 * A quote in the value becomes `\"`, which java.exe takes for a quote (cmdtoargs.c of OpenJDK). For cmd.exe it ends the
 * quoted part, or begins one: so there must be an even number of them, and what then stands outside of quotes may have
 * no parentheses either. A backslash before a quote would count as one more.
 */
function quoteForCmd(value: string): string | undefined {
  const hasCommonCharacters = /^[ -~\u00A0-\u024F\u0400-\u04FF‐-„…№]*$/u.test(value);
  const hasSpecials = /[%!&|<>^]/.test(value);
  if (!hasCommonCharacters || hasSpecials || value.endsWith('\\')) return undefined;

  const quotes = value.split('"').length - 1;
  if (quotes === 0) return `"${value}"`;

  const isOdd = quotes % 2 === 1;
  const hasParentheses = /[()]/.test(value);
  const hasBackslashAtQuote = /\\"|"\\/.test(value);
  if (isOdd || hasParentheses || hasBackslashAtQuote) return undefined;

  const escaped = value.replaceAll('"', '\\"');
  return `"${escaped}"`;
}
