import { checked, counted, learned, leftOf, type Access, type AccessAnswer } from './access.js';
import type { Outcome, ServiceStatus } from './connection.js';
import type { Content, Pending, Queue, State } from './state.js';

/** Uploads at a time with a token; the service has a queue. */
const PARALLEL = 4;
/** Milliseconds until a service that is out of order is first asked whether it is ready. */
const FIRST_PROBE_MS = 2000;
/** Milliseconds between the next such questions. */
const NEXT_PROBE_MS = 10_000;
/** Attempts at a file during outages, after which the file itself counts as their cause. */
const MAX_OUTAGES = 3;

export const EMPTY_QUEUE: Queue = { waiting: new Map(), sent: new Map(), asked: 0 };

/** How many files are asked for and not decided. */
export const pendingIn = ({ waiting, sent }: Queue) => waiting.size + sent.size;

/** How many more files can be asked for. What is sent is counted already. */
export const leftToAsk = ({ access, queue }: Pick<State, 'access' | 'queue'>, now: number) =>
  leftOf(access, now) - queue.waiting.size;

/** Whether the service can be asked to read these bytes. */
export const canBeRead = ({ status, failure }: Content) => status === 'unread' || failure?.canRetry === true;

/** What is to be sent now; undefined when nothing is. */
export function nextToSend({ queue, pause, access }: State): string | undefined {
  const parallel = access.token === undefined ? 1 : PARALLEL;
  if (pause || queue.sent.size >= parallel) return undefined;
  const [next] = queue.waiting.keys();
  return next;
}

/** Has files read in this order, as many as the limit suffices for; the others stay as they are. */
export function ask(state: State, fingerprints: readonly string[], now: number): State {
  const { contents, queue } = state;
  const waiting = new Map(queue.waiting);
  let left = leftToAsk(state, now);
  for (const fingerprint of fingerprints) {
    const content = contents.get(fingerprint);
    const isPending = waiting.has(fingerprint) || queue.sent.has(fingerprint);
    if (left <= 0 || isPending || !content || !canBeRead(content)) continue;
    waiting.set(fingerprint, 0);
    left -= 1;
  }

  const added = waiting.size - queue.waiting.size;
  // A new state would recompute everything derived from it, each second while reading goes on by itself.
  if (added === 0) return state;
  return { ...state, queue: { ...queue, waiting, asked: queue.asked + added } };
}

/** Takes files back that are not decided yet. */
export function release(state: State, fingerprints: Iterable<string>): State {
  const { queue } = state;
  const waiting = without(queue.waiting, fingerprints);
  const sent = without(queue.sent, fingerprints);
  const released = pendingIn(queue) - waiting.size - sent.size;
  if (released === 0) return state;
  return withQueue(state, { waiting, sent, asked: queue.asked - released });
}

function without(pending: Pending, fingerprints: Iterable<string>): Pending {
  const left = new Map(pending);
  for (const fingerprint of fingerprints) left.delete(fingerprint);
  return left;
}

/** Once nothing is pending, counting begins anew. */
const withQueue = (state: State, queue: Queue): State => ({
  ...state,
  queue: pendingIn(queue) > 0 ? queue : EMPTY_QUEUE,
});

/** Releases what the limit no longer suffices for, the last first: it waits until the user chooses. */
function releaseSurplus(state: State, now: number): State {
  const surplus = -leftToAsk(state, now);
  if (surplus <= 0) return state;
  const waiting = [...state.queue.waiting.keys()];
  return release(state, waiting.slice(-surplus));
}

/**
 * Takes what is known now of the limit and the token, and releases what may not be sent any more. During a pause the
 * limit releases nothing: whether the service has counted what failed is known only when it is ready again.
 */
export function changeAccess(state: State, access: Access, now: number): State {
  const changed = { ...state, access };
  const hasLostToken = state.access.token !== undefined && access.token === undefined;
  // What was asked for with a token is not read without one: that would spend the limit.
  if (hasLostToken) return release(changed, state.queue.waiting.keys());
  return state.pause ? changed : releaseSurplus(changed, now);
}

export function markSent(state: State, fingerprint: string, now: number): State {
  const { waiting, sent, asked } = state.queue;
  const outages = waiting.get(fingerprint) ?? 0;
  return {
    ...state,
    access: counted(state.access, now),
    queue: { waiting: without(waiting, [fingerprint]), sent: new Map(sent).set(fingerprint, outages), asked },
  };
}

/**
 * Takes how a request ended.
 * @param answer undefined when none came
 */
export function settle(
  before: State,
  fingerprint: string,
  outcome: Outcome,
  answer: AccessAnswer | undefined,
  now: number,
): State {
  const state = answer ? changeAccess(before, learned(before.access, answer), now) : before;
  const outages = state.queue.sent.get(fingerprint) ?? 0;
  switch (outcome.name) {
    case 'done':
      return decide(state, fingerprint, { status: 'done', answer: outcome.result, failure: null });
    case 'failed':
      return decide(state, fingerprint, { status: 'failed', failure: outcome.failure });
    case 'limited':
      return releaseSurplus(waitAgain(state, fingerprint, outages), now);
    case 'outage': {
      const { problem, mayBeFile } = outcome;
      const paused = pause(state, outcome, now);
      const outagesNow = mayBeFile ? outages + 1 : outages;
      if (outagesNow < MAX_OUTAGES) return waitAgain(paused, fingerprint, outagesNow);
      return decide(paused, fingerprint, { status: 'failed', failure: { problem, canRetry: true } });
    }
  }
}

type Outage = Extract<Outcome, { name: 'outage' }>;

/** Stops sending. Of several requests that fail together, the first one pauses. */
function pause(state: State, { problem, retryAfter }: Outage, now: number): State {
  if (state.pause) return state;
  const waitMs = retryAfter > 0 ? retryAfter * 1000 : FIRST_PROBE_MS;
  return { ...state, pause: { problem, until: now + waitMs } };
}

/** Writes down what became of a file, and takes it out of the queue. */
function decide(state: State, fingerprint: string, change: Partial<Content>): State {
  const { contents, queue } = state;
  const content = contents.get(fingerprint);
  if (!content) return state;

  const decided = { ...state, contents: new Map(contents).set(fingerprint, { ...content, ...change }) };
  return withQueue(decided, { ...queue, sent: without(queue.sent, [fingerprint]) });
}

/** Lets a file that was sent wait before all others. */
function waitAgain(state: State, fingerprint: string, outages: number): State {
  const { waiting, sent, asked } = state.queue;
  const queue = {
    waiting: new Map([[fingerprint, outages], ...waiting]),
    sent: without(sent, [fingerprint]),
    asked,
  };
  return { ...state, queue };
}

/**
 * Takes what the service says of itself. If it is ready, a pause ends. If it is not and says why, a pause begins; one
 * that has begun already goes on.
 */
export function learnStatus(state: State, status: ServiceStatus, now: number): State {
  const access = checked(learned(state.access, status), status);
  const changed = changeAccess(state, access, now);
  if (status.isReady) return releaseSurplus({ ...changed, pause: undefined }, now);

  const problem = status.problem ?? changed.pause?.problem;
  // Something else has answered. Whether that matters is known with the first file.
  if (!problem) return changed;
  return { ...changed, pause: { problem, until: now + NEXT_PROBE_MS } };
}
