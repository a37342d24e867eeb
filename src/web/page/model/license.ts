import { combine, type Known } from './facts.js';
import { groupBy } from './group-by.js';
import type { Place } from './place.js';
import type { Failure } from './problem.js';
import { canBeAsked } from './queue.js';
import type { Content, ListedFile, ListedRow, ListedSheet, State, Status } from './state.js';

/**
 * A row of the table: distinct bytes, found at one place or several, or a license that only the sheet has. As long as
 * nothing of it changes it is the same object, so that its row is not drawn again.
 */
export interface License {
  /** That of its first place, so that the details stay open when its file is updated. */
  readonly id: number;
  /** At least one. */
  readonly places: readonly Place[];
  /** The key of its bytes; null when only the sheet has it. */
  readonly contentKey: string | null;
  readonly fingerprint: string | null;
  /** The day of the sheet that it is from, as YYYY-MM-DD; null when the user gave its file. */
  readonly day: string | null;
  readonly isGiven: boolean;
  readonly status: Status;
  /** Why it was not read; null if it was never tried. */
  readonly failure: Failure | null;
  readonly known: Known;
  readonly isFailed: boolean;
  /** Whether it is no license, or ring refused it. */
  readonly isRefused: boolean;
  /** Whether it is being read or waits for it. */
  readonly isPending: boolean;
  /** Whether the service can be asked to read it. */
  readonly canBeAsked: boolean;
  /** Whether it was not read, and its PIN code is not known from the sheet either. */
  readonly isUnread: boolean;
  /** Whether it was not read, and the sheet has its PIN code. */
  readonly hasPinOfSheet: boolean;
}

/** The name of its first file. */
export const nameOf = ({ places }: License) => places[0]?.name ?? '';

/** The licenses that the user gave, in the order of the list. */
export function givenLicenses({ files, contents, sheet }: Pick<State, 'files' | 'contents' | 'sheet'>) {
  const rows = groupBy(sheet?.rows ?? [], ({ fingerprint }) => fingerprint);
  const groups = groupBy(files, ({ contentKey }) => contentKey);
  return [...groups].flatMap(([contentKey, listedFiles]) => {
    const content = contents.get(contentKey);
    const row = rows.get(contentKey)?.[0];
    return content ? [givenLicense(contentKey, content, listedFiles, sheet, row)] : [];
  });
}

/** The license that was last derived from each content, and what it was derived from. */
const lastDerived = new WeakMap<
  Content,
  { license: License; files: readonly ListedFile[]; row: ListedRow | undefined }
>();

function givenLicense(
  contentKey: string,
  content: Content,
  files: readonly ListedFile[],
  sheet: ListedSheet | undefined,
  row: ListedRow | undefined,
): License {
  const last = lastDerived.get(content);
  const isSame = last && last.row === row && haveSameElements(last.files, files);
  if (isSame) return last.license;

  const { clearText, answer, fingerprint } = content;
  const ofSheet = row && sheet ? { ...row, day: sheet.day } : null;
  const known = combine({ answer, clearText, ofSheet });
  const { status, failure } = outcomeOf(content, row);
  const isUnread = status === 'unread';
  const hasPinOfSheet = isUnread && known.pin !== null;
  const license: License = {
    ...stateOf(status, failure),
    id: files[0]?.order ?? 0,
    places: files,
    contentKey,
    fingerprint,
    day: null,
    isGiven: true,
    known,
    canBeAsked: canBeAsked(content),
    isUnread: isUnread && !hasPinOfSheet,
    hasPinOfSheet,
  };
  lastDerived.set(content, { license, files, row });
  return license;
}

/** An unread file that the sheet calls refused has failed: the service would refuse the same bytes again. */
function outcomeOf(content: Content, row: ListedRow | undefined): Pick<Content, 'status' | 'failure'> {
  const isRefusedInSheet = row?.failure?.canRetry === false;
  if (content.status !== 'unread' || !isRefusedInSheet) return content;
  return { status: 'failed', failure: row.failure };
}

const licensesOfRows = new WeakMap<ListedRow, License>();

/** The licenses of the sheet. */
export const sheetLicenses = (sheet: ListedSheet | undefined): License[] =>
  sheet?.rows.map((row) => sheetLicense(row, sheet.day)) ?? [];

function sheetLicense(row: ListedRow, day: string): License {
  const existing = licensesOfRows.get(row);
  if (existing) return existing;

  const license: License = {
    ...stateOf(row.failure ? 'failed' : 'unread', row.failure),
    id: row.order,
    places: row.places,
    contentKey: null,
    fingerprint: row.fingerprint,
    day,
    isGiven: false,
    known: combine({ answer: null, clearText: null, ofSheet: { ...row, day } }),
    canBeAsked: false,
    isUnread: false,
    hasPinOfSheet: false,
  };
  licensesOfRows.set(row, license);
  return license;
}

function stateOf(status: Status, failure: Failure | null) {
  const isFailed = status === 'failed' || status === 'unfit';
  return {
    status,
    failure,
    isFailed,
    isRefused: status === 'unfit' || (isFailed && failure?.canRetry === false),
    isPending: status === 'waiting' || status === 'decoding',
  };
}

const haveSameElements = (before: readonly unknown[], now: readonly unknown[]) =>
  before.length === now.length && before.every((element, index) => element === now[index]);
