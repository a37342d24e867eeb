import { combine, type LicenseFacts } from './facts.js';
import { groupBy } from './group-by.js';
import type { Problem } from './problem.js';
import type { Content, ListedFile, Pending, State } from './state.js';

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
  /** Why it could not be read; null unless it has failed or was refused. */
  readonly problem: Problem | null;
  readonly facts: LicenseFacts;
  /** Whether it is probably no license. ring may know forms that the page does not, so it can be read. */
  readonly isUnlikely: boolean;
}

/** Whether it is being read or waits for it. */
export const isPending = ({ status }: License): boolean => status === 'waiting' || status === 'reading';

/** Whether the service can be asked to read it. */
export const canBeAsked = ({ status }: Pick<License, 'status'>): boolean =>
  status === 'unread' || status === 'failed';

/** Whether nothing tells that a file is a license. */
export const isUnknownFile = ({ facts, isUnlikely, status }: License): boolean =>
  isUnlikely || (status === 'refused' && facts.isBlank);

/** The name of its first file. */
export function nameOf({ places }: License): string {
  const [first] = places;
  return first?.name ?? '';
}

/** Names of computers are the same in capital and small letters. */
export const computerKey = ({ facts }: License) => facts.computer?.toLowerCase() ?? null;

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
  return {
    id: first.id,
    places: copies,
    fingerprint: first.fingerprint,
    status: pending?.status ?? content.status,
    problem: pending ? null : content.problem,
    facts: combine(content),
    isUnlikely: content.isUnlikely && content.status !== 'done',
  };
}
