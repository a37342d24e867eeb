import { useState } from 'preact/hooks';
import { t } from '../texts/language.js';
import { closeDialog, Dialog, DialogButton } from '../ui/dialog.js';
import { download } from '../ui/hand-over.js';
import { ReloadNotice } from '../ui/reload-notice.js';
import { useStore } from '../ui/use-store.js';

const EXCEL = 'excel-dialog';

export const loadExport = () => import('./export-list.js');

/** Asks what the sheet is to hold, and saves it. */
export function ExcelDialog() {
  const { view } = useStore();
  const [hasOwners, setOwners] = useState(true);
  const [hasPins, setPins] = useState(false);
  const [state, setState] = useState<'idle' | 'works' | 'failed'>('idle');

  const count = view.shown.value.length;
  const known = view.knownShown.value;
  const { owners, pins } = known;
  const parts = { hasOwners: owners > 0 && hasOwners, hasPins: pins > 0 && hasPins };

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (state === 'works' || count === 0) return;

    setState('works');
    try {
      const { exportList } = await loadExport();
      const { name, content } = await exportList(view, parts);
      download(name, content);
      setState('idle');
      // So that the next sheet has PIN codes only if that is asked for again.
      setPins(false);
      closeDialog(EXCEL);
    } catch {
      setState('failed');
    }
  };

  return (
    <>
      <DialogButton dialog={EXCEL}>{t('excel')}</DialogButton>
      <Dialog id={EXCEL} title={t('excelTitle')}>
        <form onSubmit={(event) => void save(event)}>
          <Box
            text={t('excelOwners', known)}
            isChecked={parts.hasOwners}
            isDisabled={owners === 0}
            onChange={setOwners}
          />
          <Box
            text={t('excelPins', known)}
            isChecked={parts.hasPins}
            isDisabled={pins === 0}
            onChange={setPins}
          />
          <p class="hint">{t(pins > 0 ? 'excelPinsHint' : 'excelNotRead')}</p>
          <button class="main" aria-disabled={count === 0}>
            {t('excelExport', { count })}
          </button>
          <p role="status" class="hint">
            {state === 'works' && t('excelWorks')}
          </p>
        </form>
        {state === 'failed' && <ReloadNotice />}
      </Dialog>
    </>
  );
}

interface BoxProps {
  text: string;
  isChecked: boolean;
  isDisabled: boolean;
  onChange: (isChecked: boolean) => void;
}

const Box = ({ text, isChecked, isDisabled, onChange }: BoxProps) => (
  <label>
    <input
      type="checkbox"
      checked={isChecked}
      disabled={isDisabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />{' '}
    {text}
  </label>
);
