import { HttpError } from '../errors/http-error.js';

/** The fields that a form may have, each once. */
const ALLOWED = ['license', 'detailed', 'structured'];

/** Characters of a field's name that an error message shows; typing errors are made in short names. */
const SHOWN_CHARACTERS = 32;

/** Checks the names of one form's fields as they arrive. */
export class FormFields {
  private readonly seen = new Set<string>();

  /** @returns the error for the caller when the field is not allowed, or has already come */
  add(name: string): HttpError | undefined {
    const isAllowed = ALLOWED.includes(name);
    const isRepeated = this.seen.has(name);
    if (!isAllowed || isRepeated) return unexpectedField(name);

    this.seen.add(name);
    return undefined;
  }
}

/**
 * The error about a field. It shows the field's name, because a misspelled `structured` is easily overlooked.
 * @param detail for the log, which does not get the name: clients may put anything into it
 */
export function unexpectedField(name: string, detail?: string): HttpError {
  const values = { field: printable(name) };
  return new HttpError('unexpected_field', { values, ...(detail !== undefined && { detail }) });
}

/** A name, cut, in which characters that would disturb the message around it are escaped as in JavaScript. */
function printable(name: string): string {
  const characters = Array.from(name);
  const shown = characters.slice(0, SHOWN_CHARACTERS).join('');
  const escaped = shown.replace(/["\\«»]|[^\p{L}\p{N}\p{P}\p{S} ]/gu, escapeCharacter);
  const isCut = characters.length > SHOWN_CHARACTERS;
  return isCut ? `${escaped}…` : escaped;
}

/** `«` as `\u{ab}`. */
function escapeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `\\u{${codePoint.toString(16)}}`;
}
