import { normalizeLabel } from '../license/known-fields.js';
import { readLines } from '../license/text-lines.js';
import { LAUNCHER_ERROR } from '../ring/output/launcher-error.js';
import { redactSentence } from '../ring/output/redact.js';
import { RING_SENTENCES, wordsIn } from '../ring/output/ring-words.js';
import { isParameter, KNOWN_LABELS, readLine, type TextKind } from './line-type.js';

/** What may be shown: ring's own words, and those of the labels. */
const SHOWN = `${RING_SENTENCES} ${[...KNOWN_LABELS].join(' ')}`;
const OWN_WORDS = wordsIn(SHOWN);

const QUOTED = /"[^"]*"|«[^»]*»|(?<!\p{L})'[^']*'/gu;
/** A Russian word in lower case is no name. Any other word, which is the group, may be one. */
const WORD = /^[([]*(?:[а-яё]+(?:-[а-яё]+)*|([\p{L}-]+))[)\].,:;!?…]*$/u;
const JAVA_NAME = /^(?:com\._1c|java)\.[\w.$]+(?:\(\w+\.java:\d+\))?:?$/;
/** A word of a label, or a digit that does not number it: the `1` of `Phys mem_1` stays. */
const WORD_OR_DIGIT_OF_LABEL = /[\p{L}\p{M}-]+|(?<!_\d?)\p{N}/gu;
/** Remarks of ring behind a value, as in `SRV-OLD (в лицензии)`. */
const IN_BRACKETS = /\(.*?\)/g;
/** Shorter words are prepositions. Where they are names, their capital gives them away. */
const MIN_TOKEN_CHARS = 3;

const OWN_TOKENS = new Set(tokensOf(SHOWN));

/**
 * Masks texts about a license: letters become `x`, digits `0`. Labels, ring's own sentences, levels and loggers stay.
 * Learn all texts first, because a value is masked wherever it stands.
 */
export class Mask {
  /** Words of the values. */
  private readonly tokens = new Set<string>();

  /** Remembers the values in a text. */
  learn(text: string, kind: TextKind): void {
    let isValueOpen = false;
    for (const line of readLines(text)) {
      const { type, head, label, colon, rest } = readLine(line, kind);
      switch (type) {
        case 'continuation':
          this.learnValue(rest);
          break;
        case 'field':
        case 'statement': {
          const isLineOfRing = kind === 'log' || head !== '';
          const value = isLineOfRing ? rest.replace(IN_BRACKETS, '') : rest;
          this.learnValue(value);
          isValueOpen = isParameter(label, colon);
          break;
        }
        case 'sentence': {
          // The value of a parameter may span lines, and nothing but an empty line or a record surely ends it.
          const isEmpty = line.trim() === '';
          const isRecord = head !== '';
          if (isEmpty || isRecord) isValueOpen = false;
          if (isValueOpen) this.learnValue(rest);
          break;
        }
        case 'reason':
          isValueOpen = false;
      }
    }
  }

  private learnValue(value: string): void {
    for (const token of tokensOf(value)) {
      // ring's own words stay legible, although a value has them too: a report is about them, and they tell nothing.
      if (!OWN_TOKENS.has(token)) this.tokens.add(token);
    }
  }

  private isLearned(text: string): boolean {
    return tokensOf(text).some((token) => this.tokens.has(token));
  }

  /** Masks a text, line by line. */
  maskText(text: string, kind: TextKind): string {
    const masked = readLines(text).map((line) => this.maskLine(line, kind));
    return masked.join('\n');
  }

  private maskLine(line: string, kind: TextKind): string {
    const { type, head, label, colon, rest } = readLine(line, kind);
    if (LAUNCHER_ERROR.test(line)) {
      const words = line.slice(head.length);
      return head + redactSentence(words);
    }

    switch (type) {
      case 'sentence':
        return head + this.maskSentence(rest);
      case 'reason':
        return this.maskSentence(label) + colon + this.maskSentence(rest);
      case 'field':
        return head + this.maskLabel(label) + colon + maskAll(rest);
      case 'statement':
        return head + this.maskSentence(label) + colon + maskAll(rest);
      case 'continuation':
        return maskAll(rest);
    }
  }

  /** Of an unknown label, which can be the line of a value, only words of 1C's texts and the number are shown. */
  private maskLabel(label: string): string {
    if (KNOWN_LABELS.has(normalizeLabel(label))) return label;

    return label.replace(WORD_OR_DIGIT_OF_LABEL, (word) => {
      const isOwn = OWN_WORDS.has(word.toLowerCase());
      const isShown = isOwn && !this.isLearned(word);
      return isShown ? word : maskAll(word);
    });
  }

  /** Keeps the words of ring, and masks names and learned words. */
  private maskSentence(text: string): string {
    const withoutQuotes = text.replace(QUOTED, maskAll);
    return withoutQuotes.replace(/\S+/g, (word) => {
      const isShown = isWordOfRing(word) && !this.isLearned(word);
      return isShown ? word : maskAll(word);
    });
  }
}

function isWordOfRing(word: string): boolean {
  if (JAVA_NAME.test(word)) return true;

  const match = WORD.exec(word);
  if (match === null) return false;

  const [, possibleName] = match;
  if (possibleName === undefined) return true;
  return OWN_WORDS.has(possibleName.toLowerCase());
}

/** The words of a text without regard to case and to hyphens: `Ивано-Франковск` has three. */
function tokensOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}\p{Pd}]+/gu) ?? [];
  const tokens: string[] = [];
  for (const word of words) {
    const parts = word.split(/\p{Pd}/u);
    const withoutHyphens = parts.join('');
    tokens.push(withoutHyphens, ...parts);
  }
  return tokens.filter((token) => token.length >= MIN_TOKEN_CHARS);
}

/** The ending of a license file's name stays. */
function maskAll(text: string): string {
  const withoutLetters = text.replace(/\.lic(?!\p{L})|[\p{L}\p{M}]/gu, (found) => {
    return found === '.lic' ? found : 'x';
  });
  return withoutLetters.replace(/\p{N}/gu, '0');
}
