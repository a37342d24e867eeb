import type { ComponentChildren } from 'preact';
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
  const lines = leftOut ? linesOf(leftOut) : [];
  // A list is what matters, but without one this is the answer to the drop.
  const look = store.files.value.length === 0 ? 'notice' : 'hint';
  return (
    <div class={`left-out ${lines.length > 0 ? look : ''}`}>
      <div role="status">
        {lines.map((line, index) => (
          <p key={index}>{line} </p>
        ))}
      </div>
      {lines.length > 0 && <Button class="link" text={t('hide')} onClick={hide} />}
    </div>
  );
}

function linesOf({ files, otherCount, isCut }: LeftOut): ComponentChildren[] {
  const reasons = groupBy(files, ({ reason }) => reason);
  return [
    isCut && t('tooMany', { count: MAX_FILES }),
    ...[...reasons].map(([reason, its]) => <Reason reason={reason} files={its} />),
    otherCount > 0 && t('otherFiles', { count: otherCount }),
  ].filter(Boolean);
}

/** The names of files, and why they are left out. A name may be in a script that is written from right to left. */
function Reason({ reason, files }: { reason: LeftOutFile['reason']; files: readonly LeftOutFile[] }) {
  const first = files.slice(0, MAX_NAMES);
  const count = files.length - first.length;
  return (
    <>
      {first.map(({ name }, index) => [index > 0 && ', ', <bdi>{name}</bdi>])}
      {count > 0 && ` ${t('andMore', { count })}`}: {t(reason)}
    </>
  );
}
