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
  /** That of its first place, so that the details stay open when its file is updated. */
  readonly id: number;
  /** At least one. */
  readonly places: readonly Place[];
  /** That of its bytes; null when only a sheet has it that does not say it. */
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
export const nameOf = ({ places }: License) => places[0]?.name ?? '';

type GivenParts = Pick<State, 'files' | 'contents' | 'queue' | 'sheet'>;

/** The licenses that the user gave, in the order of the list. */
export function givenLicenses({ files, contents, queue, sheet }: GivenParts): License[] {
  const rows = new Map(sheet?.rows.map((row) => [row.fingerprint, row]));
  const licenses: License[] = [];
  for (const [fingerprint, copies] of groupBy(files, (file) => file.fingerprint)) {
    const content = contents.get(fingerprint);
    if (!content) continue;
    const pending = queue.pending.get(fingerprint);
    const row = rows.get(fingerprint);
    licenses.push(givenLicense({ content, copies, pending, row }, sheet));
  }
  return licenses;
}

/** What a license that the user gave is derived from. */
interface Sources {
  readonly content: Content;
  readonly copies: readonly ListedFile[];
  readonly pending: Pending | undefined;
  /** What the sheet says of the same bytes. */
  readonly row: ListedRow | undefined;
}

/** The license that was last derived from each content. */
const lastDerived = new WeakMap<Content, { license: License; sources: Sources }>();

function givenLicense(sources: Sources, sheet: ListedSheet | undefined): License {
  const { content, copies, pending, row } = sources;
  const last = lastDerived.get(content);
  if (last && isSame(last.sources, sources)) return last.license;

  const [first] = copies;
  const { answer, clearText } = content;
  const ofSheet = row && sheet ? { ...row, day: sheet.day } : null;
  const known = combine({ answer, clearText, ofSheet });
  const outcome = outcomeOf(content, row);
  const status = pending?.status ?? outcome.status;
  const isUnread = status === 'unread';
  const license: License = {
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
  lastDerived.set(content, { license, sources });
  return license;
}

/** Whether nothing has changed. The content is the same. */
function isSame(before: Sources, { copies, pending, row }: Sources): boolean {
  if (before.pending !== pending) return false;
  if (before.row !== row) return false;
  if (before.copies.length !== copies.length) return false;
  return before.copies.every((file, index) => file === copies[index]);
}

/** An unread file that the sheet calls refused has failed: the service would refuse the same bytes again. */
function outcomeOf(content: Content, row: ListedRow | undefined): Pick<Content, 'status' | 'failure'> {
  if (content.status !== 'unread' || !row?.failure) return content;
  if (row.failure.canRetry) return content;
  return { status: 'failed', failure: row.failure };
}

const licensesOfRows = new WeakMap<ListedRow, License>();

/** The licenses of the sheet. */
export function sheetLicenses(sheet: ListedSheet | undefined): License[] {
  if (!sheet) return [];
  return sheet.rows.map((row) => sheetLicense(row, sheet.day));
}

function sheetLicense(row: ListedRow, day: string): License {
  const existing = licensesOfRows.get(row);
  if (existing) return existing;

  const license: License = {
    ...stateOf(row.failure ? 'failed' : 'unread', row.failure),
    id: row.order,
    places: row.places,
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
