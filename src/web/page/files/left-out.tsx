import { groupBy } from '../model/group-by.js';
import type { LeftOut, LeftOutFile } from '../model/state.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';
import { MAX_FILES } from './dropped-files.js';

/** Names that are told for each reason. Of more files it is told how many there are. */
const MAX_NAMES = 3;

/** Says which of the files that were added last are not in the list, and why. */
export function LeftOutNotice() {
  const store = useStore();
  const { leftOut } = store.state.value;
  const hide = () => {
    store.dispatch({ type: 'leftOutHidden' });
    // The button goes away. What most people do next is to add other files.
    document.getElementById('files')?.focus();
  };
  const lines = leftOut ? linesOf(leftOut.files) : [];
  if (leftOut && hasNothingFound(leftOut)) lines.unshift(t('nothingFound'));
  if (leftOut?.isCut) lines.unshift(t('tooMany', { count: MAX_FILES }));
  return (
    <div class={lines.length > 0 ? 'left-out notice' : 'left-out'}>
      <div role="status">
        {lines.map((line) => (
          <p key={line}>{line} </p>
        ))}
      </div>
      {lines.length > 0 && <Button class="link" text={t('hide')} onClick={hide} />}
    </div>
  );
}

/** Whether to say that there is no license. What is said of a single file says that already. */
const hasNothingFound = ({ files, isAll }: LeftOut) => isAll && files.length !== 1;

/** A line for each reason. */
function linesOf(files: readonly LeftOutFile[]): string[] {
  const groups = groupBy(files, ({ reason }) => reason);
  return [...groups].map(([reason, its]) => {
    const problem = t(reason, { count: its.length });
    return `${namesOf(its)}: ${problem}`;
  });
}

function namesOf(files: readonly LeftOutFile[]): string {
  const first = files.slice(0, MAX_NAMES);
  const names = first.map(({ name }) => name).join(', ');
  const count = files.length - first.length;
  return count > 0 ? t('andMore', { names, count }) : names;
}
