import { checked, counted, learned, leftOf, type Access } from './access.js';
import type { Outage, ServiceStatus } from './connection.js';
import type { ActionOf, Content, Pending, Queue, State } from './state.js';

/** Uploads at a time with a token; the service has a queue. */
const PARALLEL = 4;
/** Milliseconds until a service that is out of order is first asked whether it is ready. */
const FIRST_PROBE_MS = 2000;
/** Milliseconds between the next such questions. */
const NEXT_PROBE_MS = 10_000;
/** Attempts at a file during outages, after which the file itself counts as their cause. */
const MAX_OUTAGES = 3;

/** Takes the place of bytes that were read and are never sent again, so that memory does not keep them. */
const NO_BYTES = new Blob();

export const EMPTY_QUEUE: Queue = { pending: new Map(), asked: 0, measured: { since: 0, decided: 0 } };

/** The fingerprints of what waits to be sent, in order. */
function waitingIn({ pending }: Queue): string[] {
  const waiting: string[] = [];
  for (const [fingerprint, { status }] of pending) {
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
    pending.set(fingerprint, { status: 'waiting', hadToken: false, outages: 0 });
    left -= 1;
  }

  const added = pending.size - queue.pending.size;
  // A new state would recompute everything derived from it, each second while reading goes on by itself.
  if (added === 0) return state;
  const measured = queue.asked === 0 ? { since: now, decided: 0 } : queue.measured;
  return { ...state, queue: { pending, asked: queue.asked + added, measured } };
}

/** Takes files back that are not decided yet. */
export function release(state: State, fingerprints: readonly string[]): State {
  const { queue } = state;
  const pending = new Map(queue.pending);
  for (const fingerprint of fingerprints) pending.delete(fingerprint);

  const released = queue.pending.size - pending.size;
  if (released === 0) return state;
  return withQueue(state, { ...queue, pending, asked: queue.asked - released });
}

/** Once nothing is pending, counting begins anew. */
function withQueue(state: State, queue: Queue): State {
  const isOver = queue.pending.size === 0;
  return { ...state, queue: isOver ? EMPTY_QUEUE : queue };
}

/** Releases what the limit no longer suffices for, the last first: it waits until the user chooses. */
function releaseSurplus(state: State, now: number): State {
  const left = leftToAsk(state, now);
  if (left >= 0) return state;

  const surplus = waitingIn(state.queue).slice(left);
  return release(state, surplus);
}

/**
 * Stores what is now known of the limit and the token. Files that these no longer allow leave the queue. During a pause
 * only a lost token takes files out: the page has counted requests that failed, and the service says only when it is
 * ready again whether it has counted them too.
 */
export function changeAccess(state: State, access: Access, now: number): State {
  const changed = { ...state, access };
  const hadToken = state.access.token !== undefined;
  const hasLostToken = hadToken && access.token === undefined;
  if (hasLostToken) {
    // What was asked for with a token is not read without one, because that would spend the limit. So reading does not go
    // on by itself either, even if the user wanted that before the token came.
    return release({ ...changed, goesOnByItself: false }, waitingIn(state.queue));
  }
  return state.pause ? changed : releaseSurplus(changed, now);
}

export function markSent(state: State, fingerprint: string, now: number): State {
  const access = counted(state.access, now);
  const hadToken = access.token !== undefined;
  return changePending({ ...state, access }, fingerprint, { status: 'decoding', hadToken });
}

/** Takes how a request ended, and what its answer tells about the limit and the token. */
export function settle(before: State, ended: ActionOf<'answered'>, now: number): State {
  const { fingerprint, outcome, answer } = ended;
  const access = answer ? learned(before.access, answer) : before.access;
  const state = changeAccess(before, access, now);
  switch (outcome.name) {
    case 'done':
      return decide(state, fingerprint, {
        status: 'done',
        answer: outcome.result,
        failure: null,
        bytes: NO_BYTES,
      });
    case 'failed':
      return decide(state, fingerprint, { status: 'failed', failure: outcome.failure });
    case 'limited':
      return releaseSurplus(waitAgain(state, fingerprint), now);
    case 'outage':
      return countOutage(pause(state, outcome, now), fingerprint, outcome);
  }
}

/** Stops sending. Of several requests that fail together, the first one pauses. */
function pause(state: State, { problem, retryAfter }: Outage, now: number): State {
  if (state.pause) return state;

  const waitMs = retryAfter > 0 ? retryAfter * 1000 : FIRST_PROBE_MS;
  return { ...state, pause: { problem, until: now + waitMs } };
}

/** Lets a file wait until the outage is over, unless it was there too often. */
function countOutage(state: State, fingerprint: string, { problem, isBusy }: Outage): State {
  const before = state.queue.pending.get(fingerprint)?.outages ?? 0;
  const outages = isBusy ? before : before + 1;
  if (outages < MAX_OUTAGES) return waitAgain(changePending(state, fingerprint, { outages }), fingerprint);

  const failure = { problem, canRetry: true };
  return decide(state, fingerprint, { status: 'failed', failure });
}

/**
 * Lets a file that was sent wait to be sent again, after the others: a file that causes outages must not keep them waiting. If
 * it was sent with a token and there is none now, it leaves the queue instead: sending it without one would spend the limit,
 * which the user has not asked for.
 */
function waitAgain(state: State, fingerprint: string): State {
  const { queue, access } = state;
  const before = queue.pending.get(fingerprint);
  if (!before) return state;

  const hasLostToken = before.hadToken && access.token === undefined;
  if (hasLostToken) return release(state, [fingerprint]);

  const pending = new Map(queue.pending);
  // A key that is set again keeps its place, unless it is removed first.
  pending.delete(fingerprint);
  pending.set(fingerprint, { ...before, status: 'waiting' });
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

/** A file keeps its place in the queue. */
function changePending(state: State, fingerprint: string, change: Partial<Pending>): State {
  const { queue } = state;
  const before = queue.pending.get(fingerprint);
  if (!before) return state;

  const pending = new Map(queue.pending).set(fingerprint, { ...before, ...change });
  return { ...state, queue: { ...queue, pending } };
}

/**
 * Takes what the service says of itself. If it is ready, a pause ends. If it is not and says why, a pause begins; one
 * that has begun already goes on.
 */
export function learnStatus(state: State, status: ServiceStatus, now: number): State {
  const access = checked(learned(state.access, status), status);
  const changed = changeAccess(state, access, now);
  if (status.isReady) return releaseSurplus(endPause(changed, now), now);

  const problem = status.problem ?? changed.pause?.problem;
  // Something else has answered. Whether that matters is known with the first file.
  if (!problem) return changed;
  return { ...changed, pause: { problem, until: now + NEXT_PROBE_MS } };
}

function endPause(state: State, now: number): State {
  if (!state.pause) return state;

  const { queue } = state;
  // How long the pause lasted says nothing of how fast files are read.
  const measured = { since: now, decided: decidedIn(queue) };
  return { ...state, pause: undefined, queue: { ...queue, measured } };
}
