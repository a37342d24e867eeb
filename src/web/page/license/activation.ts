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

/** The owner's data that a new activation has to repeat letter for letter, in ring's order, without empty values. */
export function ownerData({ customer }: Pick<Known, 'customer'>): { key: OwnerKey; value: string }[] {
  return (Object.keys(OPTIONS) as OwnerKey[]).flatMap((key) => {
    const value = customer?.[key];
    return value?.trim() ? [{ key, value }] : [];
  });
}

export type Shell = 'bash' | 'cmd';

/** The shells, that of the license's computer first where its hardware or its binding names Windows. */
export function shellsFor({ answer, boundTo }: Pick<Known, 'answer' | 'boundTo'>): Shell[] {
  const hardware = answer?.structured.hardware?.license.flatMap(({ values }) => values) ?? [];
  return [...hardware, boundTo].some((text) => /\bwindows\b/i.test(text ?? ''))
    ? ['cmd', 'bash']
    : ['bash', 'cmd'];
}

/** Stands for the unused PIN code until it is given. ring refuses it: a PIN code has digits only. */
export const NEW_PIN: Record<Language, string> = { en: 'NEW-PIN', ru: 'НОВЫЙ-ПИН' };

/** Stands for a value that the shell cannot pass on. */
export const FILL_IN: Record<Language, string> = { en: 'FILL-IN', ru: 'ВПИШИТЕ' };

export interface ActivationCommand {
  /** The line, in parts, those that the user has to replace marked. */
  parts: { text: string; isPlaceholder: boolean }[];
  /** The values that the user has to fill in. */
  missing: (OwnerKey | 'registrationNumber')[];
}

/**
 * The command that activates a license again, to be pasted into a terminal.
 *
 * It ends in `--validate`: ring then asks for the license only after it has checked the request against the
 * computer that the command runs on, so that no PIN code is spent in vain. A value is left to the user when the shell
 * cannot pass it on as it is, when it was cut off, or when it looks like an option, since nobody knows how ring reads
 * that.
 *
 * @param newPin the unused PIN code; only its digits count
 */
export function activationCommand(
  license: Pick<Known, 'customer' | 'registrationNumber' | 'pin'>,
  shell: Shell,
  language: Language,
  newPin = '',
): ActivationCommand {
  // Without the letters that may follow the number: ring does not know them here.
  const serial = license.registrationNumber?.replace(/\p{L}.*/su, '');
  const data = [
    ...ownerData(license).map(({ key, value }) => ({ key, option: OPTIONS[key], value })),
    ...(serial ? [{ key: 'registrationNumber' as const, option: '--serial', value: serial }] : []),
  ];
  const parts: ActivationCommand['parts'] = [];
  const missing: ActivationCommand['missing'] = [];
  const add = (text: string, isPlaceholder = false) => parts.push({ text, isPlaceholder });
  const [open, close] = QUOTES[shell];
  add('ring license activate');
  for (const { key, option, value } of data) {
    const wasCutOff = value.endsWith('…');
    const isLikeOption = /^-./u.test(value);
    const quoted = wasCutOff || isLikeOption ? undefined : QUOTE[shell](value);
    if (quoted !== undefined) {
      add(` ${option} ${quoted}`);
      continue;
    }
    missing.push(key);
    add(` ${option} ${open}`);
    add(FILL_IN[language], true);
    add(close);
  }
  add(` --pin ${open}`);
  const pinDigits = newPin.replace(/\D/g, '');
  add(pinDigits || NEW_PIN[language], pinDigits === '');
  // The PIN code of this license. The one that `previousPin` may hold is older.
  add(`${close} --previous-pin ${open}${pinOf(license) ?? ''}${close} --validate`);
  return { parts, missing };
}

const QUOTES: Record<Shell, [string, string]> = { bash: ["'", "'"], cmd: ['"', '"'] };
const QUOTE: Record<Shell, (value: string) => string | undefined> = { bash: quoteForBash, cmd: quoteForCmd };

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
