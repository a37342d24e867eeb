import { useEffect, useState } from 'preact/hooks';
import { useStore } from '../ui/use-store.js';
import { t } from '../texts/language.js';
import { download } from '../ui/hand-over.js';
import { Button, Checkbox } from '../ui/controls.js';

/** Milliseconds after the first files in which the library is loaded. */
const LOAD_MS = 1000;
const loadExport = () => import('./export-list.js');

/** Writes what the table shows. The library comes early, because an update of the service takes it away. */
export function ExcelButton() {
  const { view } = useStore();
  const [state, setState] = useState<'idle' | 'works' | 'failed'>('idle');
  const [isPublic, setPublic] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => void loadExport().catch(() => undefined), LOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  const count = view.shown.value.length;
  const isSecret = view.shown.value.some(({ known }) => known.pin ?? known.customer);
  const save = async () => {
    if (state === 'works' || count === 0) return;
    setState('works');
    try {
      const { exportList } = await loadExport();
      const { name, content } = await exportList(view, isPublic);
      download(name, content);
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <Button
        class="excel"
        text={state === 'works' ? t('excelWorks') : t('excel', { count })}
        aria-disabled={count === 0}
        onClick={() => void save()}
      />
      <Checkbox text={t('excelPublic')} checked={isPublic} onChange={setPublic} />
      {!isPublic && isSecret && <span class="hint">{t('excelSecret')}</span>}
      {state === 'failed' && (
        <span class="problem" role="alert">
          {t('excelFailed')}
        </span>
      )}
    </>
  );
}
