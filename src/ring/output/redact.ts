import { RING_SENTENCES, wordsIn } from './ring-words.js';

/** Characters of a sentence that are read. The sentences of ring have a few hundred. */
const MAX_READ_CHARS = 4_000;
/** Characters of a redacted sentence, which becomes part of a log line. */
const MAX_CHARS = 300;
/** Stands for one or more words that are not shown. */
const HIDDEN = '…';

/** A version of ring's modules: `0.15.0-2`. */
export const VERSION = String.raw`\d+(?:\.\d+)+(?:[-+]\d+)?`;
/** The launcher may add the platform that a module is built for: `0.15.0-2:x86_64`. */
const VERSION_AND_PLATFORM = `${VERSION}(?::x86(?:_64)?)?`;

const ALLOWED_WORDS = wordsIn(RING_SENTENCES);

/** A word with the punctuation around it, and with a version if it is a module's name; the group is the bare word. */
const WORD = new RegExp(String.raw`^[("]*([\p{L}_]+)(?:@${VERSION_AND_PLATFORM})?[)".,:;]*$`, 'u');
/** A list of versions behind its introduction, which is the group, or else anything between two blanks. */
const PART = new RegExp(
  String.raw`((?:versions|версии):(?:\s+${VERSION_AND_PLATFORM}[.,;]?(?!\S))+)|\S+`,
  'giu',
);

/**
 * Makes a sentence that ring has printed fit for a log. ring may quote anything that it was given, such as names of
 * people and files, so only ring's own words and the list of a module's versions stay. `…` stands for the rest.
 */
export function redactSentence(sentence: string): string {
  const shown: string[] = [];
  for (const [part, versionList] of sentence.slice(0, MAX_READ_CHARS).matchAll(PART)) {
    if (versionList !== undefined || isAllowed(part)) {
      shown.push(part);
    } else if (shown.at(-1) !== HIDDEN) {
      shown.push(HIDDEN);
    }
  }

  const onOneLine = shown.join(' ').replace(/\s+/g, ' ');
  return onOneLine.slice(0, MAX_CHARS);
}

function isAllowed(part: string): boolean {
  const word = WORD.exec(part)?.[1];
  return word !== undefined && ALLOWED_WORDS.has(word.toLowerCase());
}
