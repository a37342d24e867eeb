import { combine, numberOf, type LicenseFacts } from './facts.js';
import { groupBy } from './group-by.js';
import type { Failure } from './problem.js';
import { canBeRead } from './queue.js';
import { pathOf, type Content, type ListedFile, type Pending, type State } from './state.js';

/** `waiting` and `reading` were asked for; the others are those of the content. */
export type Status = Content['status'] | Pending['status'];

/** A row of the table: distinct bytes, found at one place or several. */
export interface License {
  /** That of its first file. */
  readonly id: number;
  /** At least one. */
  readonly places: readonly ListedFile[];
  /** The fingerprint of its bytes. */
  readonly fingerprint: string;
  readonly status: Status;
  /** Why it was not read; null if it was read or never tried. What is asked for again keeps it until it is decided. */
  readonly failure: Failure | null;
  readonly facts: LicenseFacts;
  /** Whether it is probably no license. ring may know forms that the page does not, so it can be read. */
  readonly isUnlikely: boolean;
  readonly isFailed: boolean;
  /** Whether the service refused it, so that asking again is of no use. */
  readonly cannotBeRead: boolean;
  /** Whether it is being read or waits for it. */
  readonly isPending: boolean;
  /** Whether the service can be asked to read it. */
  readonly canBeAsked: boolean;
}

/** Whether nothing tells that a file is a license. */
export const isUnknownFile = ({ facts, isUnlikely, cannotBeRead }: License) =>
  isUnlikely || (cannotBeRead && facts.isBlank);

/** The name of its first file. */
export function nameOf({ places }: License): string {
  const [first] = places;
  return first?.name ?? '';
}

/** Names of computers are the same in capital and small letters. */
export const computerKey = ({ facts }: License) => facts.computer?.toLowerCase() ?? null;

/** The number of the kit that a license is from; null while it is not known. */
export function kitNumberOf({ facts }: License): string | null {
  const { registrationNumber } = facts;
  return registrationNumber ? numberOf(registrationNumber) : null;
}

/** The licenses whose files were all given again later, at the same path and with other bytes. */
export function previousCopiesIn(licenses: readonly License[]): ReadonlySet<License> {
  const latest = new Map<string, ListedFile>();
  for (const file of licenses.flatMap(({ places }) => places)) {
    const other = latest.get(pathOf(file));
    if (!other || other.id < file.id) latest.set(pathOf(file), file);
  }

  const isOutdated = (file: ListedFile) => latest.get(pathOf(file))?.fingerprint !== file.fingerprint;
  return new Set(licenses.filter(({ places }) => places.every(isOutdated)));
}

/** The licenses in the files that the user gave, in the order of the list. */
export function licensesIn({
  files,
  contents,
  queue,
}: Pick<State, 'files' | 'contents' | 'queue'>): License[] {
  const licenses: License[] = [];
  for (const [fingerprint, copies] of groupBy(files, (file) => file.fingerprint)) {
    const [first] = copies;
    const content = contents.get(fingerprint);
    if (!first || !content) continue;

    licenses.push(licenseOf(first, copies, content, queue.pending.get(fingerprint)));
  }
  return licenses;
}

/** The license that was last made of a first file, and of what besides. */
const lastMade = new WeakMap<ListedFile, { license: License; parts: readonly unknown[] }>();

/** As long as nothing of a license changes it is the same object, so that its row is not drawn again. */
function licenseOf(
  first: ListedFile,
  copies: readonly ListedFile[],
  content: Content,
  pending: Pending | undefined,
): License {
  const parts = [content, pending, ...copies];
  const last = lastMade.get(first);
  if (last && areSame(parts, last.parts)) return last.license;

  const license = makeLicense(first, copies, content, pending);
  lastMade.set(first, { license, parts });
  return license;
}

/** Whether two lists have the same elements in the same order. */
export function areSame(list: readonly unknown[], other: readonly unknown[]): boolean {
  if (list.length !== other.length) return false;
  return list.every((element, index) => element === other[index]);
}

function makeLicense(
  first: ListedFile,
  copies: readonly ListedFile[],
  content: Content,
  pending: Pending | undefined,
): License {
  const { failure } = content;
  const status = pending?.status ?? content.status;
  const isFailed = status === 'failed';
  return {
    id: first.id,
    places: copies,
    fingerprint: first.fingerprint,
    status,
    failure,
    facts: combine(content),
    isUnlikely: content.isUnlikely && content.status !== 'done',
    isFailed,
    cannotBeRead: isFailed && failure?.canRetry === false,
    isPending: pending !== undefined,
    canBeAsked: !pending && canBeRead(content),
  };
}
