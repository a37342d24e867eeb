import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { leftOf } from '../model/access.js';
import { t, tell } from '../texts/language.js';
import { nameOf, type License } from '../model/license.js';
import { useStore } from './use-store.js';

/** Tells screen readers what went wrong, and the end; each file would be too much. */
export function Announcer() {
  const { access, given, isReading, now, queue, view } = useStore();
  const toldFailures = useRef<ReadonlySet<number>>(new Set());
  const wasReading = useRef(false);
  const wasPaused = useRef(false);
  const wasUsedUp = useRef(false);

  useSignalEffect(() => {
    const isEnd = wasReading.current && !isReading.value;
    wasReading.current = isReading.value;
    if (!isEnd) return;
    toldFailures.current = failedIdsIn(given.peek());
    view.announce(outcomeText(given.peek()));
  });

  // Only with each drawing: looking through thousands of licenses with each answer would take minutes.
  const licenses = given.value;
  useEffect(() => {
    const fresh = licenses.filter((license) => hasFailed(license) && !toldFailures.current.has(license.id));
    toldFailures.current = failedIdsIn(licenses);
    if (fresh.length > 0) view.announce(failureText(fresh));
  }, [view, licenses]);

  useSignalEffect(() => {
    const isPaused = queue.value.pause !== undefined;
    // Once, however often the service is asked meanwhile.
    if (isPaused && !wasPaused.current) view.announce(t('paused'));
    wasPaused.current = isPaused;
  });

  useSignalEffect(() => {
    const left = leftOf(access.value, now.value);
    const { limit } = access.value.quota;
    // A token lifts the limit, which is then not renewed.
    const isRenewed = wasUsedUp.current && left > 0 && left <= limit;
    wasUsedUp.current = left === 0;
    const hasUnread = given.peek().some(({ isUnread }) => isUnread);
    if (isRenewed && hasUnread) view.announce(t('limitRenewed'));
  });

  const { text, count } = view.announcement.value;
  return (
    <p class="unseen" role="status">
      <span key={count}>{text}</span>
    </p>
  );
}

function failedIdsIn(licenses: readonly License[]): ReadonlySet<number> {
  return new Set(licenses.filter(hasFailed).map(({ id }) => id));
}

/** Whether it could not be read today. What a sheet says of another day is no news. */
function hasFailed({ failure, isFailed }: License): boolean {
  if (!isFailed || failure === null) return false;
  return !('quoted' in failure.problem);
}

function failureText(failed: readonly License[]): string {
  const [first, second] = failed;
  if (first?.failure && !second) {
    const { text } = tell(first.failure.problem);
    return `${t('failedAnnouncement', { name: nameOf(first) })}. ${text}`;
  }
  return t('failedCount', { count: failed.length });
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** How many licenses were read, and how many were not; those aside that nobody asked for. */
export function outcomeText(licenses: readonly License[]): string {
  const read = licenses.filter(({ status }) => status === 'done').length;
  const failed = licenses.filter(hasFailed).length;
  const parts: string[] = [];
  if (read > 0) parts.push(t('finished', { count: read }));
  if (failed > 0) parts.push(t('failedCount', { count: failed }));
  const [first = '', second] = parts;
  return second === undefined ? first : `${first}, ${lowerFirst(second)}`;
}
