import { useEffect, useRef, useState } from 'preact/hooks';
import { isPending } from './item.js';
import type { Model } from './model.js';
import type { Tell } from './texts.js';

/** Tells screen readers what went wrong, and the end; each file would be too much. */
export function Announcer({ model, t }: { model: Model; t: Tell }) {
  const { items } = model.inventory;
  const { pause } = model.runner;
  const told = useRef({ failed: new Set<number>(), wasPending: false });
  const [text, setText] = useState('');
  useEffect(() => {
    const failed = items.filter(({ state }) => state.name === 'failed');
    const fresh = failed.filter(({ id }) => !told.current.failed.has(id));
    const pending = items.some(isPending);
    const isEnd = told.current.wasPending && !pending;
    told.current = { failed: new Set(failed.map(({ id }) => id)), wasPending: pending };
    if (isEnd) {
      setText(outcome(model, t));
    } else if (fresh.length > 0) {
      const [first] = fresh;
      setText(
        fresh.length === 1
          ? t('failedAnnouncement', { name: first?.file.name ?? '' })
          : t('failedCount', { count: fresh.length }),
      );
    }
  }, [items]);
  const reason = pause?.reason;
  useEffect(() => {
    if (reason)
      setText(t(reason === 'outage' ? 'paused' : reason === 'token' ? 'tokenNeeded' : 'limitReached'));
  }, [reason]);
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}

/** How many files were read, and how many were not. */
export function outcome(model: Model, t: Tell): string {
  const { items } = model.inventory;
  const done = items.filter(({ state }) => state.name === 'done').length;
  const failed = items.filter(({ state }) => state.name === 'failed').length;
  return failed > 0 ? t('finishedFailed', { done, failed }) : t('finished', { done });
}
