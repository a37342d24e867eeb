import { useEffect, useRef } from 'preact/hooks';
import { nameOf, type License } from '../model/license.js';
import type { Store } from '../model/store.js';
import { t, tell } from '../texts/language.js';
import { useStore } from './use-store.js';

/** More names than these are told as a number. */
const MAX_NAMES = 3;

/** What was the case when screen readers were told something last. */
interface Heard {
  isReading: boolean;
  isPaused: boolean;
  isUsedUp: boolean;
  /** The fingerprints of the files that had been read or had failed before the current reading. */
  read: ReadonlySet<string>;
  failed: ReadonlySet<string>;
}

const NOTHING: Heard = {
  isReading: false,
  isPaused: false,
  isUsedUp: false,
  read: new Set(),
  failed: new Set(),
};

/** Tells screen readers when reading begins, pauses and ends, and what went wrong. Each file would be too much. */
export function Announcer() {
  const store = useStore();
  const heard = useRef(NOTHING);
  const { view } = store;
  const given = store.licenses.value;
  const isReading = store.isReading.value;
  const pause = store.pause.value;
  const left = store.left.value;

  // Only with each drawing: looking through thousands of licenses with each answer would take minutes.
  useEffect(() => {
    const before = heard.current;
    heard.current = hear(store, before);
    const news = newsSince(before, store);
    if (news !== '') view.announce(news);
  }, [store, view, given, isReading, pause, left]);

  const { text, count } = view.announcement.value;
  return (
    <p class="unseen" role="status">
      <span key={count}>{text}</span>
    </p>
  );
}

function hear(store: Store, before: Heard): Heard {
  const isReading = store.isReading.value;
  const given = store.licenses.value;
  const wasTold = (license: License) => before.failed.has(license.fingerprint) || isUnfit(license);
  const isOldNews = isReading ? wasTold : hasFailed;
  return {
    isReading,
    isPaused: store.pause.value !== undefined,
    isUsedUp: store.left.value <= 0 && !isReading,
    read: isReading ? before.read : fingerprintsOf(given.filter(isDone)),
    failed: fingerprintsOf(given.filter(isOldNews)),
  };
}

const hasFailed = ({ isFailed }: License) => isFailed;

/** Whether the page itself has seen that it is no license, which it says at once. */
const isUnfit = ({ status }: License) => status === 'unfit';
const isDone = ({ status }: License) => status === 'done';
const fingerprintsOf = (licenses: readonly License[]) =>
  new Set(licenses.map(({ fingerprint }) => fingerprint));

/** What is to be said of what has changed; empty for nothing. */
function newsSince(before: Heard, store: Store): string {
  const pause = store.pause.value;
  const isReading = store.isReading.value;
  if (pause && !before.isPaused) {
    const { text } = tell(pause.problem);
    return isReading ? `${t('paused')}. ${text}` : text;
  }
  if (pause && isReading) return '';

  const given = store.licenses.value;
  const failed = given.filter((license) => hasFailed(license) && !before.failed.has(license.fingerprint));
  if (isReading) {
    const unfit = failed.filter(isUnfit);
    const parts = unfit.length > 0 ? [failureText(unfit)] : [];
    const begins = !before.isReading || before.isPaused;
    if (begins) parts.push(startText(store));
    return parts.join(' ');
  }

  const read = given.filter((license) => isDone(license) && !before.read.has(license.fingerprint));
  // What is read within one drawing was never seen to begin.
  if (before.isReading || read.length > 0) return outcomeText(store, read.length, failed);
  if (failed.length > 0) return failureText(failed);

  // A token lifts the limit, which is then not renewed.
  const left = store.left.value;
  const isRenewed = before.isUsedUp && left > 0 && left !== Infinity;
  const hasUnread = given.some(({ status }) => status === 'unread');
  return isRenewed && hasUnread ? t('limitRenewed') : '';
}

function startText({ licenses: given, progress }: Store): string {
  const total = given.value.length;
  if (total === 1) return t('readingOne');

  const { asked } = progress.value;
  return t('readingStarted', { asked, total });
}

/** How much of the list is read after a reading, and what of it failed. */
function outcomeText(
  { licenses: given, readCount }: Store,
  read: number,
  failed: readonly License[],
): string {
  const decided = read + failed.length;
  if (decided === 0) return t('readingCanceled');

  const total = given.value.length;
  const tally = t('readOf', { read: readCount.value, total });
  if (failed.length === 0) return tally;
  return `${tally} ${failureText(failed)}`;
}

function failureText(failed: readonly License[]): string {
  if (failed.length > MAX_NAMES) return t('failedFiles', { count: failed.length });

  const name = failed.map(nameOf).join(', ');
  const names = `${t('failedAnnouncement', { name })}.`;
  const [first] = failed;
  const isOne = failed.length === 1;
  if (!isOne || !first?.failure) return names;

  const { text } = tell(first.failure.problem);
  return `${names} ${text}`;
}
