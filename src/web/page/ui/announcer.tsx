import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../texts/language.js';
import type { License } from '../model/license.js';
import { nameOf } from '../model/license.js';
import { useStore } from './use-store.js';

/** Tells screen readers what went wrong, and the end; each file would be too much. */
export function Announcer() {
  const { given, isReading, queue, view } = useStore();
  const toldFailures = useRef<ReadonlySet<number>>(new Set());
  const wasReading = useRef(false);
  const wasPaused = useRef(false);

  useSignalEffect(() => {
    const failed = given.value.filter(({ status }) => status === 'failed');
    const fresh = failed.filter(({ id }) => !toldFailures.current.has(id));
    const isEnd = wasReading.current && !isReading.value;
    toldFailures.current = new Set(failed.map(({ id }) => id));
    wasReading.current = isReading.value;
    if (isEnd) view.announce(outcomeText(given.value));
    else if (fresh.length > 0) view.announce(failureText(fresh));
  });

  useSignalEffect(() => {
    const isPaused = queue.value.pause !== undefined;
    // Once, however often the service is asked meanwhile.
    if (isPaused && !wasPaused.current) view.announce(t('paused'));
    wasPaused.current = isPaused;
  });

  const { text, count } = view.announcement.value;
  return (
    <p class="unseen" role="status">
      <span key={count}>{text}</span>
    </p>
  );
}

function failureText(failed: readonly License[]): string {
  const [first] = failed;
  return first && failed.length === 1
    ? t('failedAnnouncement', { name: nameOf(first) })
    : t('failedCount', { count: failed.length });
}

/** How many licenses were read, and how many were not; those aside that nobody asked for. */
export function outcomeText(licenses: readonly License[]): string {
  const read = licenses.filter(({ status }) => status === 'done').length;
  const failed = licenses.filter(({ isFailed }) => isFailed).length;
  if (failed === 0) return read > 0 ? t('finished', { count: read }) : '';
  const failedText = t('failedCount', { count: failed });
  if (read === 0) return failedText;
  return `${t('finished', { count: read })}, ${failedText.replace(/^./, (letter) => letter.toLowerCase())}`;
}
