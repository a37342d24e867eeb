import type { Language } from '../../../errors/catalog.js';

/** Why an exported list cannot be read. */
export type SheetProblem =
  'sheetTooLarge' | 'sheetForeign' | 'sheetEmpty' | 'sheetBroken' | 'sheetFormat' | 'noSheetReader';

/** What the page noticed itself; the key of a text. */
export interface OwnProblem {
  key:
    | 'fileGone'
    | 'emptyFile'
    | 'tooLarge'
    | 'isPdf'
    | 'isArchive'
    | 'noBase64'
    | 'noAnswer'
    | 'notTheService'
    | 'noRing'
    | 'noJava'
    | 'notReady'
    | 'limitReached';
  values?: Record<string, string | number>;
}

/** What the service said. Codes that the page knows are told in its own words, the others by the sentence. */
export interface ServiceProblem {
  code: string;
  sentence: string;
  /** Of the sentence. */
  language: Language;
  /** For the administrator, when the service is at fault. */
  requestId: string | null;
}

/** What a sheet says of an earlier day, in the words of that day. */
export interface QuotedProblem {
  quoted: string;
  language: Language;
}

/** Why something did not work. The words are chosen when it is shown, in the language of the page. */
export type Problem = OwnProblem | ServiceProblem | QuotedProblem;

/** Why a file was not read. */
export interface Failure {
  problem: Problem;
  /** Whether it may work another time; false when the file is no license or ring refused it. */
  canRetry: boolean;
}
