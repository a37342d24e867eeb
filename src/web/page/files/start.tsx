import { useEffect, useState } from 'preact/hooks';
import { isStandIn } from '../model/connection.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { ReloadNotice } from '../ui/reload-notice.js';
import { useStore } from '../ui/use-store.js';
import { filesOfInput } from './dropped-files.js';
import { FileInput } from './file-input.js';
import { Places } from './places.js';

/** What an empty page shows: what it is for, and where files come from. */
export function Start() {
  const store = useStore();
  const [isDemo, setDemo] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    void store.checkService().then(({ ring }) => setDemo(isStandIn(ring)));
  }, [store]);
  const showExample = async () => {
    try {
      const { exampleFiles } = await import('./example.js');
      void store.add((signal) => filesOfInput(exampleFiles(), signal));
    } catch {
      setFailed(true);
    }
  };

  return (
    <section class="start">
      <p class="lead">{t('lead')}</p>
      <div class="drop-area">
        <p class="choices">
          <FileInput label="choose" className="main" />
          <FileInput label="chooseFolder" className="link" isFolder />
        </p>
        {store.isArriving.value ? (
          <p class="hint">{t('adding')}</p>
        ) : (
          <p class="hint drop-hint">{t('dropHint')}</p>
        )}
        <p class="hint">{t('deletedAtOnce')}</p>
      </div>
      <Places />
      {/* Known only when the service has answered. Last, so that it moves nothing. */}
      {isDemo && (
        <p class="notice">
          {t('standIn')} <Button text={t('example')} onClick={() => void showExample()} />
        </p>
      )}
      {hasFailed && <ReloadNotice />}
    </section>
  );
}
