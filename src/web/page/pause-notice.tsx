import { formatMoment, formatWait } from './format.js';
import type { Model } from './model.js';
import { tellProblem } from './problem.js';
import type { Tell } from './texts.js';
import { readableAt } from './waiting-time.js';

/** Says once, above everything, why reading has stopped and when it goes on. */
export function PauseNotice({ model, t }: { model: Model; t: Tell }) {
  const { access, inventory, runner, language, windowSeconds } = model;
  const { pause } = runner;
  const count = inventory.pending().size;
  if (!pause || count === 0) return null;
  const now = Date.now();
  const goOn = (
    <button type="button" onClick={() => runner.goOn()}>
      {t('continueNow')}
    </button>
  );
  if (pause.reason === 'outage') {
    const { text, language: lang } = tellProblem(pause.problem, language);
    return (
      <section class="notice pause">
        <h2>{t('paused')}</h2>
        <p lang={lang}>{text}</p>
        <p>
          {t('goesOn', { wait: formatWait(pause.until - now, language) })} {t('notReadYet', { count })}
        </p>
        <p>{goOn}</p>
      </section>
    );
  }
  if (pause.reason === 'token') {
    return (
      <section class="notice pause">
        <h2>{t('tokenNeeded')}</h2>
        <p>
          {t('limitNone')}. {t('notReadYet', { count })}
        </p>
        <p>
          {t('clearTextShown')} {t('tokenHelps')}
        </p>
      </section>
    );
  }
  const last = readableAt(count, access.quota, windowSeconds, now);
  const time = (at: number) => ({
    time: formatMoment(at, language, now),
    wait: formatWait(at - now, language),
  });
  return (
    <section class="notice pause">
      <h2>{t('limitReached')}</h2>
      <p>
        {t('notReadYet', { count })}. {t('nextAt', time(pause.until))}{' '}
        {last > pause.until && t('allAt', time(last))} {t('clearTextShown')}
      </p>
      <p>
        <label>
          <input
            type="checkbox"
            checked={runner.goesOnByItself}
            onChange={({ currentTarget }) => {
              runner.goesOnByItself = currentTarget.checked;
              model.notify();
            }}
          />{' '}
          {t('auto')}
        </label>{' '}
        {!runner.goesOnByItself && goOn}
      </p>
    </section>
  );
}
