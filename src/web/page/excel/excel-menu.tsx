import { useEffect, useState } from 'preact/hooks';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { download } from '../ui/hand-over.js';
import { closeMenu, Menu, MenuButton } from '../ui/menu.js';
import { useStore } from '../ui/use-store.js';

/** Milliseconds after the first files in which the export is loaded. */
const LOAD_MS = 1000;
const EXCEL = 'excel-menu';

const loadExport = () => import('./export-list.js');

/**
 * The menu that writes the shown licenses. The export is loaded in advance: after an update of the service its old file is
 * gone, and the user could no longer save what has been read.
 */
export function ExcelMenu() {
  const { view } = useStore();
  const [state, setState] = useState<'idle' | 'works' | 'failed'>('idle');

  useEffect(() => {
    const timer = setTimeout(() => void loadExport().catch(() => undefined), LOAD_MS);
    return () => clearTimeout(timer);
  }, []);

  const count = view.shown.value.length;
  const hasSecrets = view.hasSecrets.value;

  const save = async (isPublic: boolean) => {
    if (state === 'works' || count === 0) return;

    setState('works');
    try {
      const { exportList } = await loadExport();
      const { name, content } = await exportList(view, isPublic);
      download(name, content);
      setState('idle');
      closeMenu(EXCEL);
    } catch {
      setState('failed');
    }
  };

  return (
    <>
      <MenuButton menu={EXCEL}>{t('excelMenu')}</MenuButton>
      <Menu id={EXCEL}>
        <Button
          class="main"
          text={t('excel', { count })}
          aria-disabled={count === 0}
          onClick={() => void save(false)}
        />
        <p class="hint">{t(hasSecrets ? 'excelSecret' : 'excelNoSecret')}</p>
        {hasSecrets && (
          <>
            <Button text={t('exportPublic')} onClick={() => void save(true)} />
            <p class="hint">{t('excelPublicHint')}</p>
          </>
        )}
        <p role="status" class="hint">
          {state === 'works' && t('excelWorks')}
        </p>
        {state === 'failed' && (
          <p class="problem" role="alert">
            {t('excelFailed')}
          </p>
        )}
      </Menu>
    </>
  );
}
