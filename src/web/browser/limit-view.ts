import { TOKEN_PROBLEMS } from '../../errors/token-problems.js';
import type { Connection } from './connection.js';
import { announce, byId } from './elements.js';
import { formatTime, formatWait } from './format.js';
import { language, t } from './language.js';
import type { UploadQueue } from './upload-queue.js';

/** Milliseconds between two updates of the time to wait. */
const TICK_MS = 1000;

/** Shows what is left of the limit, and the ways on when it is reached: wait, or enter a token. */
export class LimitView {
  constructor(
    private readonly connection: Connection,
    private readonly queue: UploadQueue,
  ) {
    const field = byId('token') as HTMLInputElement;
    byId('token-form').addEventListener('submit', (event) => {
      event.preventDefault();
      connection.useToken(field.value);
      field.value = '';
      if (connection.token !== undefined) queue.resume();
      this.update();
    });
    setInterval(() => this.update(), TICK_MS);
  }

  update(): void {
    const { connection, queue } = this;
    const { token, tokenProblem, quota, resetAt } = connection;
    const wait = resetAt - Date.now();
    const time = formatTime(resetAt, language());
    const left = wait > 0 ? t('quota', { ...quota, time }) : (byId('quota').dataset[language()] ?? '');
    setText('quota', token === undefined ? left : t('tokenInUse'));
    const reason = tokenProblem && TOKEN_PROBLEMS[tokenProblem][language()];
    setText('token-problem', reason === undefined ? '' : t('tokenRejected', { reason }));

    const count = queue.pending().length;
    const mayResume = (byId('auto') as HTMLInputElement).checked || count === 0;
    if (queue.isPaused && wait <= 0 && mayResume) queue.resume();
    const pause = byId('pause');
    const wasHidden = pause.hidden;
    pause.hidden = !queue.isPaused || count === 0;
    if (pause.hidden) return;
    setText('pause-text', t('pause', { count, time, relative: formatWait(wait, language()) }));
    if (!wasHidden) return;
    (byId('token-box') as HTMLDetailsElement).open = true;
    announce(pause.textContent);
  }
}

/** Leaves an unchanged text alone, which a live region would read out again. */
function setText(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}
