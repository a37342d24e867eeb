import { lacksUsers } from '../model/filters.js';
import type { License } from '../model/license.js';
import { daysLeft, isCurrent, type Validity } from '../model/validity.js';
import type { View } from '../model/view.js';
import { changeText, rowTexts } from '../ui/row-texts.js';

/** A license, and what the page says of it besides, in its language. */
export interface ExportedLicense extends License {
  readonly validity: Validity;
  readonly type: string;
  /** Days from today to its end; null when it has none. */
  readonly daysLeft: number | null;
  /** Whether it is a client license that is good for its users today. */
  readonly countsUsers: boolean;
  /** Whether it may be good for users today, and it is not known for how many. */
  readonly mayAddUsers: boolean;
  /** What became of it since that day; empty when nothing did. */
  readonly change: string;
}

/** @param isPublic leaves out which PIN code has changed */
export function exportedLicense(license: License, view: View, isPublic: boolean): ExportedLicense {
  const validity = view.validityOf(license);
  return {
    ...license,
    validity,
    type: rowTexts(license).type,
    daysLeft: daysLeft(license, view.today.value),
    countsUsers: isCurrent(validity) && license.known.kind === 'client',
    mayAddUsers: isCurrent(validity) && lacksUsers(license.known),
    change: changeText(license, view.changes.value.get(license.id), isPublic),
  };
}
