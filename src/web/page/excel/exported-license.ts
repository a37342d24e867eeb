import { daysBetween } from '../model/day.js';
import type { License } from '../model/license.js';
import type { Standing } from '../model/standing.js';
import type { View } from '../model/view.js';
import { changeText, rowTexts } from '../ui/row-texts.js';

/** A license, and what the page says of it besides, in its language. */
export interface ExportedLicense extends License {
  readonly standing: Standing | undefined;
  readonly type: string;
  /** Days from today to its end; null when it has none. */
  readonly daysLeft: number | null;
  /** Whether it was in the sheet of another day and is not there today. */
  readonly isGone: boolean;
  /** What became of it since that day; empty when nothing did. */
  readonly change: string;
}

/** @param isPublic leaves out which PIN code has changed */
export function exportedLicense(license: License, view: View, isPublic: boolean): ExportedLicense {
  const { validUntil } = license.known;
  return {
    ...license,
    standing: view.standingOf(license),
    type: rowTexts(license).type,
    daysLeft: validUntil === null ? null : daysBetween(view.today.value, validUntil),
    isGone: view.isGone(license),
    change: changeText(license, view.changes.value.get(license.id), isPublic),
  };
}
