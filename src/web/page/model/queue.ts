import { checked, counted, learned, leftOf, type Access } from './access.js';
import type { Outage, ServiceStatus } from './connection.js';
import type { ActionOf, Content, Queue, State } from './state.js';

/** Uploads at a time with a token; the service has a queue. */
const PARALLEL = 4;
/** Milliseconds until the service is asked whether it is ready, where it does not say how long to wait. */
const RETRY_MS = 10_000;

/** Takes the place of bytes that were read and are never sent again, so that memory does not keep them. */
const NO_BYTES = new Blob();

export const EMPTY_QUEUE: Queue = { pending: new Map(), asked: 0 };

/** The fingerprints of what waits to be sent, in order. */
function waitingIn({ pending }: Queue): string[] {
  const waiting: string[] = [];
  for (const [fingerprint, status] of pending) {
    if (status === 'waiting') waiting.push(fingerprint);
  }
  return waiting;
}

/** How many more files can be asked for. What is sent is counted already. */
export function leftToAsk({ access, queue }: State, now: number): number {
  const waiting = waitingIn(queue);
  return leftOf(access, now) - waiting.length;
}

/** Whether the service can be asked to read these bytes. */
export const canBeRead = ({ status, failure }: Content): boolean =>
  status === 'unread' || failure?.canRetry === true;

/** How many of what was asked for is decided. */
export const decidedIn = ({ asked, pending }: Queue): number => asked - pending.size;

/** What is to be sent now; undefined when nothing is. */
export function nextToSend({ queue, pause, access }: State): string | undefined {
  if (pause) return undefined;

  const parallel = access.token === undefined ? 1 : PARALLEL;
  const waiting = waitingIn(queue);
  const sent = queue.pending.size - waiting.length;
  return sent < parallel ? waiting[0] : undefined;
}

/** Has files read in this order, as many as the limit suffices for; the others stay as they are. */
export function ask(state: State, fingerprints: readonly string[], now: number): State {
  const { contents, queue } = state;
  const pending = new Map(queue.pending);
  let left = leftToAsk(state, now);
  for (const fingerprint of fingerprints) {
    if (left <= 0) break;

    const content = contents.get(fingerprint);
    if (!content || !canBeRead(content) || pending.has(fingerprint)) continue;
    pending.set(fingerprint, 'waiting');
    left -= 1;
  }

  const added = pending.size - queue.pending.size;
  return { ...state, queue: { pending, asked: queue.asked + added } };
}

/** Takes files back that are not decided yet. */
export function release(state: State, fingerprints: readonly string[]): State {
  const { queue } = state;
  const pending = new Map(queue.pending);
  for (const fingerprint of fingerprints) pending.delete(fingerprint);

  const released = queue.pending.size - pending.size;
  if (released === 0) return state;
  return withQueue(state, { pending, asked: queue.asked - released });
}

/** Once nothing is pending, counting begins anew, and nothing waits for the end of a pause. */
function withQueue(state: State, queue: Queue): State {
  const isOver = queue.pending.size === 0;
  return isOver ? { ...state, queue: EMPTY_QUEUE, pause: undefined } : { ...state, queue };
}

/**
 * Stores what is now known of the limit and the token, and releases what the limit no longer suffices for, the last first:
 * it waits until the user chooses. Not during a pause: the page has counted requests that failed, and the service says only
 * with its next answer whether it has counted them too.
 */
export function changeAccess(before: State, access: Access, now: number): State {
  const state = { ...before, access };
  const left = leftToAsk(state, now);
  if (state.pause || left >= 0) return state;

  const surplus = waitingIn(state.queue).slice(left);
  return release(state, surplus);
}

export function markSent(state: State, fingerprint: string, now: number): State {
  const access = counted(state.access, now);
  const pending = new Map(state.queue.pending).set(fingerprint, 'decoding');
  return { ...state, access, queue: { ...state.queue, pending } };
}

/** Takes how a request ended, and what its answer tells about the limit and the token. */
export function settle(state: State, ended: ActionOf<'answered'>, now: number): State {
  const { fingerprint, outcome, answer } = ended;
  const access = answer ? learned(state.access, answer) : state.access;
  switch (outcome.name) {
    case 'outage':
      return pause({ ...waitAgain(state, fingerprint), access }, outcome, now);
    case 'done': {
      const read = { status: 'done', answer: outcome.result, failure: null, bytes: NO_BYTES } as const;
      return changeAccess(decide(state, fingerprint, read), access, now);
    }
    case 'failed': {
      const failed = { status: 'failed', failure: outcome.failure } as const;
      return changeAccess(decide(state, fingerprint, failed), access, now);
    }
    case 'limited':
      return changeAccess(waitAgain(state, fingerprint), access, now);
  }
}

/** Stops sending for a while. Of several requests that fail together, the last one says for how long. */
function pause(state: State, { problem, retryAfter }: Outage, now: number): State {
  const waitMs = retryAfter > 0 ? retryAfter * 1000 : RETRY_MS;
  return state.queue.pending.size === 0 ? state : { ...state, pause: { problem, until: now + waitMs } };
}

/** Notes that the service is asked whether it is ready. */
export const startCheck = (state: State): State =>
  state.pause ? { ...state, pause: { ...state.pause, until: 0 } } : state;

/** Lets a file that was sent wait to be sent again, after the others: a file that causes outages must not keep them waiting. */
function waitAgain(state: State, fingerprint: string): State {
  const { queue } = state;
  const pending = new Map(queue.pending);
  // A key that is set again keeps its place, unless it is removed first. What was canceled does not come back.
  if (pending.delete(fingerprint)) pending.set(fingerprint, 'waiting');
  return { ...state, queue: { ...queue, pending } };
}

/** Writes down what became of a file, and takes it out of the queue. */
function decide(state: State, fingerprint: string, change: Partial<Content>): State {
  const { contents, queue } = state;
  const content = contents.get(fingerprint);
  if (!content) return state;

  const decided = new Map(contents).set(fingerprint, { ...content, ...change });
  const pending = new Map(queue.pending);
  pending.delete(fingerprint);
  return withQueue({ ...state, contents: decided }, { ...queue, pending });
}

/** Takes what the service says of the limit and of a token. A pause ends if it is ready. */
export function learnStatus(state: State, status: ServiceStatus, now: number): State {
  const access = checked(learned(state.access, status), status);
  if (!state.pause || status.isReady) return changeAccess({ ...state, pause: undefined }, access, now);
  return { ...state, access, pause: { ...state.pause, until: now + RETRY_MS } };
}
