import { signal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Inventory } from '../model/inventory.js';
import { useModel } from './use-model.js';
import { t } from '../texts/language.js';

const announced = signal({ text: '', count: 0 });

/** Has screen readers say a text, also the same one again. */
export function announce(text: string): void {
  announced.value = { text, count: announced.peek().count + 1 };
}

/** Tells screen readers what went wrong, and the end; each file would be too much. */
export function Announcer() {
  const { inventory, runner } = useModel();
  const told = useRef({ failed: new Set<number>(), wasPending: false });
  useSignalEffect(() => {
    const failed = inventory.licenses.value.filter(({ state }) => state.name === 'failed');
    const [first, ...more] = failed.filter(({ id }) => !told.current.failed.has(id));
    const isPending = inventory.pending.value.size > 0;
    const isEnd = told.current.wasPending && !isPending;
    told.current = { failed: new Set(failed.map(({ id }) => id)), wasPending: isPending };
    if (isEnd) announce(outcome(inventory));
    else if (first)
      announce(
        more.length > 0
          ? t('failedCount', { count: more.length + 1 })
          : t('failedAnnouncement', { name: first.name }),
      );
  });
  useSignalEffect(() => {
    if (runner.pause.value) announce(t('paused'));
  });
  return (
    <p class="unseen" role="status">
      <span key={announced.value.count}>{announced.value.text}</span>
    </p>
  );
}

/** How many licenses were read, and how many were not; those aside that nobody asked for. */
export function outcome({ licenses }: Inventory): string {
  const counts = { finished: 0, failedCount: 0 };
  for (const { state, isFailed } of licenses.value) {
    if (isFailed) counts.failedCount += 1;
    else if (state.name === 'done') counts.finished += 1;
  }
  return (Object.keys(counts) as (keyof typeof counts)[])
    .flatMap((name) => (counts[name] > 0 ? t(name, { count: counts[name] }) : []))
    .join(', ')
    .replace(/(?<=, )./g, (letter) => letter.toLowerCase());
}
