import type { Language } from '../../../errors/catalog.js';

/** Why an exported list cannot be read. */
export type SheetProblem =
  'sheetTooLarge' | 'sheetForeign' | 'sheetEmpty' | 'sheetBroken' | 'sheetFormat' | 'noSheetReader';

/** What the page itself noticed; the key of a text. */
export interface OwnProblem {
  key: 'fileGone' | 'emptyFile' | 'tooLarge' | 'noAnswer' | 'notTheService' | 'limitReached' | SheetProblem;
  values?: Record<string, string | number>;
}

/** What the service said, in the language in which it did. */
export interface ToldProblem {
  text: string;
  language: Language;
  /** For the administrator, when the service is at fault. */
  requestId: string | null;
}

/** Why something did not work. */
export type Problem = OwnProblem | ToldProblem;

/** Why the service did not read a file. */
export interface Failure {
  problem: Problem;
  /** Whether it may work another time; false when the file is no license or ring refused it. */
  canRetry: boolean;
}
