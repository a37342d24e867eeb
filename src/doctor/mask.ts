import { FILE_LABELS, isUnlimited } from '../license/file-fields.js';
import { INFO_LABELS, LICENSE_FILE, parseBinding } from '../license/info-fields.js';
import { normalizeLabel } from '../license/known-fields.js';
import { readLines } from '../license/text-lines.js';
import { LAUNCHER_ERROR } from '../ring/output/launcher-error.js';
import { redactSentence } from '../ring/output/redact.js';

/** Where a text is from. Without a label, a line of `info` and `file` is a value, one of `log` a sentence of ring. */
export type TextKind = 'info' | 'file' | 'log';

const KNOWN = new Set([...INFO_LABELS, ...FILE_LABELS, 'pin', 'previous pin'].map(normalizeLabel));

/** What ring and its JVM say themselves; other Russian words are shown where they begin no sentence. */
const SENTENCES = `Проверка лицензии выполнена успешно; завершилась с ошибкой; По причине: Ключевые параметры компьютера не
  соответствуют лицензии; Лицензия, Директория не найдена; Ошибка при работе с хранилищем лицензий; Причина; Пинкод; Модуль
  License check passed for the following license; failed; Reason Cause: Key computer parameters do not match; current
  Error working with the license storage; Directory, File not found; Cannot read disk info; scan; Имя компьютера, файла
  Computer name, OS, version, serial, installation date, Motherboard, RAM, BIOS, CPU, Processor, Network adapter, MAC,
  Hard disk, size, Phys mem, type; Файл; activation input error; The PIN code is incomplete; TechnicalInfo, customer;
  Central User command registry configuration file; VM warning; Exception in thread main at; Caused by; Suppressed; more
  ${[...KNOWN].join(' ')}`;
const OWN_WORDS = new Set(SENTENCES.toLowerCase().match(/[\p{L}-]+/gu));

/** Level, logger, and what begins the records with hardware. */
const RECORD_HEAD =
  /^\[[A-Z]+ *\] (?:(?:com|org|java)\.[\w.$]+ - )?(?:getLicensePermitFromBase64 : Request : |computer info : )?/;
/** What begins a message of the JVM itself. */
const JVM_HEAD = /^(?:(?:OpenJDK|Java HotSpot\(TM\)) [\w-]+ \w+ VM warning: |\[\d+[.,]\d+s\]\[\w+ *\])/;
const LABELED = /^(\s*\p{L}[^:"«]{0,63}?)(\s*:)(?=\s|$)(.*)$/u;
/** Has a colon, but is no label with a value. */
const REASON = /^\s*(?:По причине|Причина|Ошибка|Reason|Cause|Error)(?!\p{L})/iu;
/** A program's name for a section: `TechnicalInfo`. */
const IDENTIFIER = /^[A-Z][a-z]+[A-Z][A-Za-z]*$/;
const QUOTED = /"[^"]*"|«[^»]*»|(?<!\p{L})'[^']*'/gu;
/** A Russian word in lower case is no name; any other, the group, may be one. */
const WORD = /^[([]*(?:[а-яё]+(?:-[а-яё]+)*|([\p{L}-]+))[)\].,:;!?…]*$/u;
const JAVA_NAME = /^(?:com\._1c|java)\.[\w.$]+(?:\(\w+\.java:\d+\))?:?$/;
/** Shorter words are prepositions; where they are names, their capital gives them away. */
const MIN_TOKEN_CHARS = 3;

/** The words of a text without regard to case, and to hyphens: `Ивано-Франковск` has three. */
const tokensOf = (text: string): string[] =>
  [...text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}\p{Pd}]+/gu)]
    .flatMap(([word]) => [word.replace(/\p{Pd}/gu, ''), ...word.split(/\p{Pd}/u)])
    .filter((token) => token.length >= MIN_TOKEN_CHARS);

const OWN_TOKENS = new Set(tokensOf(SENTENCES));

/** The ending of a file's name stays. */
const maskAll = (text: string): string =>
  text
    .replace(/\.lic(?!\p{L})|[\p{L}\p{M}]/gu, (found) => (found === '.lic' ? found : 'x'))
    .replace(/\p{N}/gu, '0');

/** Labels whose values may be words of 1C, the same for everyone: without them nothing tells whether they are understood. */
const WORDED = /^\s*(?:Срок действия|Valid till|LicenseAssociationType)$/i;
const maskValue = (label: string, text: string): string =>
  WORDED.test(label) && (isUnlimited(text) || parseBinding(text) !== null) ? text : maskAll(text);

/** Names of the hardware's parameters have a blank before the colon, or a number. */
const isParameter = (label: string, colon: string): boolean => colon !== ':' || /_\d+$/.test(label);

/** The head of a record, a label with its indentation, the colon, and the rest; empty where there is none. */
function split(line: string, kind: TextKind): { head: string; label: string; colon: string; rest: string } {
  const [head = ''] = RECORD_HEAD.exec(line) ?? JVM_HEAD.exec(line) ?? [];
  const body = line.slice(head.length);
  const [, label = '', colon = '', rest = ''] = LABELED.exec(body) ?? [];
  // Of `info` in column 0, or with a name in it, an unknown label may be the second line of a value.
  const isOdd =
    (kind === 'info' && /^\S/.test(label)) || (kind !== 'log' && /\S\s+\p{Lu}\p{Ll}|\d/u.test(label));
  const isValue =
    isOdd && !KNOWN.has(normalizeLabel(label)) && !IDENTIFIER.test(label) && !LICENSE_FILE.test(rest.trim());
  if (label === '' || isValue) return { head, label: '', colon: '', rest: body };
  return { head, label, colon, rest };
}

/**
 * Masks texts about a license: letters become `x`, digits `0`. Labels, ring's own sentences, levels and loggers stay.
 * Learn all texts first, because a value is masked wherever it stands.
 */
export class Mask {
  private readonly tokens = new Set<string>();

  learn(text: string, kind: TextKind): void {
    // A report without the words by which it is read would be of no use, and they tell nothing.
    const add = (value: string) =>
      tokensOf(value).forEach((token) => OWN_TOKENS.has(token) || this.tokens.add(token));
    let canGoOn = false;
    for (const line of readLines(text)) {
      const { head, label, colon, rest } = split(line, kind);
      const isValue = kind !== 'log' || (canGoOn && line.trim() !== '');
      if (head === '' && (label === '' ? isValue : kind !== 'log')) add(rest);
      // `SRV-OLD (в лицензии)`: what is in brackets are words of ring.
      else if (label !== '' && !REASON.test(line)) add(rest.replace(/\(.*?\)/g, ''));
      // Values of the hardware and the customer, `key : value`, may span lines.
      canGoOn = label === '' ? canGoOn && head === '' && line.trim() !== '' : isParameter(label, colon);
    }
  }

  /** Of an unknown label, which can be the line of a value, only words of 1C's texts and the number are shown. */
  private label(label: string): string {
    if (KNOWN.has(normalizeLabel(label))) return label;
    return label.replace(/[\p{L}\p{M}-]+|(?<!_\d?)\p{N}/gu, (word) =>
      OWN_WORDS.has(word.toLowerCase()) && !this.isLearned(word) ? word : maskAll(word),
    );
  }

  text(text: string, kind: TextKind): string {
    const masked = readLines(text).map((line) => {
      const { head, label, colon, rest } = split(line, kind);
      // The launcher's record has no logger.
      if (LAUNCHER_ERROR.test(line)) return head + redactSentence(line.slice(head.length));
      const isSentence = label === '' ? kind === 'log' || head !== '' : kind === 'log' && REASON.test(line);
      // Parameters stand in lines of their own or after a marker.
      const isName = kind !== 'log' || (isParameter(label, colon) && (head === '' || head.endsWith(': ')));
      const shown = isName ? this.label(label) : this.sentence(label);
      return head + shown + colon + (isSentence ? this.sentence(rest) : maskValue(label, rest));
    });
    return masked.join('\n');
  }

  /** Masks everything but words that are neither names nor learned. */
  private sentence(text: string): string {
    return text.replace(QUOTED, maskAll).replace(/\S+/g, (word) => {
      const plain = WORD.exec(word);
      const isOwn = plain !== null && (plain[1] === undefined || OWN_WORDS.has(plain[1].toLowerCase()));
      return (isOwn || JAVA_NAME.test(word)) && !this.isLearned(word) ? word : maskAll(word);
    });
  }

  private isLearned = (text: string) => tokensOf(text).some((token) => this.tokens.has(token));
}
