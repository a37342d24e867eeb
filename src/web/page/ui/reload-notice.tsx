import { t } from '../texts/language.js';
import { Button } from './controls.js';
import { useStore } from './use-store.js';

/**
 * Says that a script of the page could not be loaded. After an update of the service its old files are gone, and a browser
 * does not ask again for a script that has failed, so only loading the page anew helps.
 */
export function ReloadNotice() {
  const hasList = useStore().licenses.value.length > 0;
  return (
    <p class="problem" role="alert">
      {t('scriptFailed')} {hasList && t('reloadClears')}{' '}
      <Button text={t('reload')} onClick={() => location.reload()} />
    </p>
  );
}
