import { counted, isUnlimited, learned, leftOf, tokenToSend, type Access } from './access.js';
import type { Outcome, ServiceStatus } from './connection.js';
import type { Problem } from './problem.js';
import type { Content, Queue, State } from './state.js';

/** Uploads at a time with a token; the service has a queue. */
const PARALLEL = 4;
/** Milliseconds until a service that is out of order is first asked whether it is ready. */
const FIRST_PROBE_MS = 2000;
/** Milliseconds between the next such questions. */
const NEXT_PROBE_MS = 10_000;
/** Attempts at a file during outages, after which the file itself counts as their cause. */
const MAX_OUTAGES = 3;

export const EMPTY_QUEUE: Queue = { waiting: [], sent: [], asked: 0 };

/** How many files are asked for and not decided. */
export const pendingIn = ({ waiting, sent }: Queue) => waiting.length + sent.length;

/** How many more files can be asked for. What is sent is counted already. */
export const leftToAsk = ({ access, queue }: Pick<State, 'access' | 'queue'>, now: number) =>
  leftOf(access, now) - queue.waiting.length;

/** Whether the service can be asked to read these bytes. */
export function canBeAsked({ status, failure }: Content): boolean {
  if (status === 'failed' || status === 'unfit') return failure?.canRetry === true;
  return status === 'unread';
}

/** What is to be sent now; undefined when nothing is. */
export function nextToSend({ queue, pause, access }: State): string | undefined {
  const parallel = isUnlimited(access) ? PARALLEL : 1;
  if (pause || queue.sent.length >= parallel) return undefined;
  return queue.waiting[0];
}

/** Has files read in this order, as many as the limit suffices for; the others stay as they are. */
export function ask(state: State, contentKeys: readonly string[], now: number): State {
  const left = Math.max(0, leftToAsk(state, now));
  const askable = contentKeys.filter((key) => {
    const content = state.contents.get(key);
    return content !== undefined && canBeAsked(content);
  });
  const asked = [...new Set(askable)].slice(0, left);
  // A new state would recompute everything derived from it, each second while reading goes on by itself.
  if (asked.length === 0) return state;

  const { queue } = state;
  return {
    ...changeContents(state, asked, (content) => ({
      ...content,
      status: 'waiting',
      // A file that does not look like a license becomes an ordinary one when the user asks for it.
      failure: content.status === 'unfit' ? null : content.failure,
      outages: 0,
    })),
    queue: { ...queue, waiting: [...queue.waiting, ...asked], asked: queue.asked + asked.length },
  };
}

/** Takes files back that are not decided yet. After a failure they have failed again. */
export function release(state: State, contentKeys: readonly string[]): State {
  const pending = new Set([...state.queue.waiting, ...state.queue.sent]);
  const released = new Set(contentKeys.filter((key) => pending.has(key)));
  if (released.size === 0) return state;

  const { queue } = state;
  const unread = changeContents(state, released, (content) => ({
    ...content,
    status: content.failure ? 'failed' : 'unread',
  }));
  return endReading({
    ...unread,
    queue: {
      ...queue,
      waiting: queue.waiting.filter((key) => !released.has(key)),
      sent: queue.sent.filter((key) => !released.has(key)),
      asked: queue.asked - released.size,
    },
  });
}

/** Releases what the limit no longer suffices for, the last first: it waits until the user chooses. */
export function releaseSurplus(state: State, now: number): State {
  const surplus = -leftToAsk(state, now);
  return surplus > 0 ? release(state, state.queue.waiting.slice(-surplus)) : state;
}

/**
 * Takes what is known now of the limit and the token, and releases what may not be sent any more. During a pause the
 * limit releases nothing: whether the service has counted what failed is known only when it is ready again.
 */
export function changeAccess(state: State, access: Access, now: number): State {
  const hadToken = tokenToSend(state.access) !== undefined;
  const hasToken = tokenToSend(access) !== undefined;
  const changed = { ...state, access };
  // What was asked for with a token is not read without one: that would spend the limit.
  if (hadToken && !hasToken) return release(changed, changed.queue.waiting);
  return changed.pause ? changed : releaseSurplus(changed, now);
}

export function markSent(state: State, contentKey: string, now: number): State {
  const { queue } = state;
  return {
    ...changeContents(state, [contentKey], (content) => ({ ...content, status: 'decoding' })),
    access: counted(state.access, now),
    queue: {
      ...queue,
      waiting: queue.waiting.filter((key) => key !== contentKey),
      sent: [...queue.sent, contentKey],
    },
  };
}

/**
 * Takes the outcome of a request.
 * @param token with which it was sent
 */
export function settle(
  state: State,
  contentKey: string,
  outcome: Outcome,
  token: string | undefined,
  now: number,
): State {
  switch (outcome.name) {
    case 'done': {
      const { result } = outcome;
      return decide(state, contentKey, { status: 'done', answer: result, failure: null });
    }
    case 'failed':
      return decide(state, contentKey, { status: 'failed', failure: outcome.failure });
    case 'limited': {
      const waiting = waitAgain(state, contentKey, 0);
      // A token lifts the limit of the service. So a 429 in spite of the token comes from a proxy.
      const isOfProxy = token !== undefined && token === tokenToSend(state.access);
      if (isOfProxy) return pause(waiting, { key: 'limitReached' }, state.access.quota.resetAt);
      return releaseSurplus(waiting, now);
    }
    case 'outage': {
      const { problem, retryAfter, mayBeFile } = outcome;
      const outagesBefore = state.contents.get(contentKey)?.outages ?? 0;
      const outages = mayBeFile ? outagesBefore + 1 : outagesBefore;
      const until = now + (retryAfter > 0 ? retryAfter * 1000 : FIRST_PROBE_MS);
      if (outages < MAX_OUTAGES) return pause(waitAgain(state, contentKey, outages), problem, until);
      const failure = { problem, canRetry: true };
      return pause(decide(state, contentKey, { status: 'failed', failure }), problem, until);
    }
  }
}

/**
 * Takes what the service says of itself. If it is ready, a pause ends. If it is not and says why, a pause begins; one
 * that has begun already goes on.
 */
export function learnStatus(
  state: State,
  status: ServiceStatus,
  token: string | undefined,
  now: number,
): State {
  const changed = changeAccess(state, learned(state.access, token, status), now);
  if (status.isReady) return releaseSurplus({ ...changed, pause: undefined }, now);

  const problem = status.problem ?? changed.pause?.problem;
  // Something else has answered. Whether that matters is known with the first file.
  if (!problem) return changed;
  return { ...changed, pause: { problem, until: now + NEXT_PROBE_MS } };
}

/** Takes a file out of the queue. */
function decide(state: State, contentKey: string, change: Partial<Content>): State {
  const { queue } = state;
  return endReading({
    ...changeContents(state, [contentKey], (content) => ({ ...content, ...change })),
    queue: { ...queue, sent: queue.sent.filter((key) => key !== contentKey) },
  });
}

function waitAgain(state: State, contentKey: string, outages: number): State {
  const { queue } = state;
  return {
    ...changeContents(state, [contentKey], (content) => ({ ...content, status: 'waiting', outages })),
    queue: {
      ...queue,
      waiting: [contentKey, ...queue.waiting],
      sent: queue.sent.filter((key) => key !== contentKey),
    },
  };
}

/** Stops sending. Of several requests that fail together, the first one pauses. */
function pause(state: State, problem: Problem, until: number): State {
  if (state.pause) return state;
  return rearrangeAfterSeveral({ ...state, pause: { problem, until } });
}

function endReading(state: State): State {
  if (pendingIn(state.queue) > 0) return state;
  return { ...rearrangeAfterSeveral(state), queue: EMPTY_QUEUE };
}

/** Several answers bring the rows into a new order. A single one moves nothing. */
function rearrangeAfterSeveral(state: State): State {
  return state.queue.asked > 1 ? { ...state, readingArrangements: state.readingArrangements + 1 } : state;
}

function changeContents(
  state: State,
  contentKeys: Iterable<string>,
  change: (content: Content) => Content,
): State {
  const contents = new Map(state.contents);
  for (const key of contentKeys) {
    const content = contents.get(key);
    if (content) contents.set(key, change(content));
  }
  return { ...state, contents };
}
