import { combine, type Known } from './facts.js';
import { groupBy } from './group-by.js';
import type { Failure } from './problem.js';
import { canBeRead } from './queue.js';
import type { Content, ListedFile, ListedRow, ListedSheet, Pending, Place, State } from './state.js';

/** `waiting` and `decoding` were asked for; the others are those of the content. */
export type Status = Content['status'] | Pending['status'];

/**
 * A row of the table: distinct bytes, found at one place or several, or a license that only the sheet has. As long as
 * nothing of it changes it is the same object, so that its row is not drawn again.
 */
export interface License {
  /** The place of its first file in the list, so that the details stay open when that file is updated. */
  readonly id: number;
  /** At least one. */
  readonly places: readonly Place[];
  /** The fingerprint of its bytes; null when only a sheet has it, without a fingerprint. */
  readonly fingerprint: string | null;
  /** The day of the sheet that it is from, as YYYY-MM-DD; null when the user gave its file. */
  readonly day: string | null;
  readonly isGiven: boolean;
  readonly status: Status;
  /** Why it was not read; null if it was never tried. What is asked for again keeps it until it is decided. */
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
export function nameOf({ places }: License): string {
  const [first] = places;
  return first?.name ?? '';
}

type GivenParts = Pick<State, 'files' | 'contents' | 'queue' | 'sheet'>;

/** The licenses that the user gave, in the order of the list. */
export function givenLicenses({ files, contents, queue, sheet }: GivenParts): License[] {
  const rows = groupBy(sheet?.rows ?? [], (row) => row.fingerprint);
  const licenses: License[] = [];
  for (const [fingerprint, copies] of groupBy(files, (file) => file.fingerprint)) {
    const content = contents.get(fingerprint);
    if (!content) continue;

    const pending = queue.pending.get(fingerprint);
    // Only a sheet that someone has edited has several rows of the same bytes. The first one counts, as in a comparison.
    const [row] = rows.get(fingerprint) ?? [];
    const parts = [pending, row, ...copies];
    licenses.push(derived(content, parts, () => givenLicense(content, copies, pending, row)));
  }
  return licenses;
}

/** The licenses of the sheet. */
export function sheetLicenses(sheet: ListedSheet | undefined): License[] {
  if (!sheet) return [];
  return sheet.rows.map((row) => derived(row, [], () => sheetLicense(row)));
}

/** The license that was last derived from a content or a row, and from what besides. */
const lastDerived = new WeakMap<object, { license: License; parts: readonly unknown[] }>();

/** The same license as the last time, unless one of its parts has changed. */
function derived(source: object, parts: readonly unknown[], derive: () => License): License {
  const last = lastDerived.get(source);
  if (last && areSame(parts, last.parts)) return last.license;

  const license = derive();
  lastDerived.set(source, { license, parts });
  return license;
}

/** Whether two lists have the same elements in the same order. */
export function areSame(list: readonly unknown[], other: readonly unknown[]): boolean {
  if (list.length !== other.length) return false;
  return list.every((element, index) => element === other[index]);
}

/** @param row what the sheet says of the same bytes */
function givenLicense(
  content: Content,
  copies: readonly ListedFile[],
  pending: Pending | undefined,
  row: ListedRow | undefined,
): License {
  const [first] = copies;
  const { answer, clearText } = content;
  const known = combine({ answer, clearText, ofSheet: row ?? null });
  const outcome = outcomeOf(content, row);
  const status = pending?.status ?? outcome.status;
  const isUnread = status === 'unread';
  return {
    ...stateOf(status, outcome.failure),
    id: first?.order ?? 0,
    places: copies,
    fingerprint: first?.fingerprint ?? null,
    day: null,
    isGiven: true,
    known,
    canBeAsked: !pending && canBeRead(content),
    isUnread: isUnread && known.pin === null,
    hasPinOfSheet: isUnread && known.pin !== null,
  };
}

/** An unread file that the sheet calls refused has failed: the service would refuse the same bytes again. */
function outcomeOf(content: Content, row: ListedRow | undefined): Pick<Content, 'status' | 'failure'> {
  if (content.status !== 'unread' || !row?.failure) return content;
  if (row.failure.canRetry) return content;
  return { status: 'failed', failure: row.failure };
}

function sheetLicense(row: ListedRow): License {
  return {
    ...stateOf(row.failure ? 'failed' : 'unread', row.failure),
    id: row.order,
    places: row.places,
    fingerprint: row.fingerprint,
    day: row.day,
    isGiven: false,
    known: combine({ answer: null, clearText: null, ofSheet: row }),
    canBeAsked: false,
    isUnread: false,
    hasPinOfSheet: false,
  };
}

function stateOf(status: Status, failure: Failure | null) {
  const isUnfit = status === 'unfit';
  const isFailed = isUnfit || status === 'failed';
  const isLasting = failure?.canRetry === false;
  return {
    status,
    failure,
    isFailed,
    isRefused: isUnfit || (isFailed && isLasting),
    isPending: status === 'waiting' || status === 'decoding',
  };
}
