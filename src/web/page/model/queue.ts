import { checked, isDoubted, learned, leftOf, limited, type Access } from './access.js';
import type { Outage, Outcome, ServiceStatus } from './connection.js';
import { canBeAsked } from './license.js';
import type { Problem } from './problem.js';
import type { ActionOf, Content, LastStatus, Queue, State } from './state.js';

type OutcomeOf<Name extends Outcome['name']> = Extract<Outcome, { name: Name }>;
/** Why the service cannot read, and milliseconds until its status is asked. */
type Trouble = Pick<Outage, 'problem' | 'waitMs'>;

/** Uploads at a time with a token; the service has a queue. */
const PARALLEL = 4;
/** Milliseconds between two questions for the status during a pause. */
const CHECK_MS = 10_000;
/** Milliseconds for which the status counts, before the first file of a reading. */
const FRESH_MS = 5000;
/** Each file that meets a ring that hangs costs a decode, so the others wait a minute. */
const RING_HANGS: Trouble = { problem: { key: 'ringHangs' }, waitMs: 60_000 };

/** Takes the place of bytes that are never sent again, so that memory does not keep them. */
const NO_BYTES = new Blob();

export const EMPTY_QUEUE: Queue = { pending: new Map(), asked: 0, firstAskedAt: 0, hasTimedOut: false };

/** The fingerprints of what waits to be sent, in order. */
function waitingIn({ pending }: Queue): string[] {
  const waiting: string[] = [];
  for (const [fingerprint, { status }] of pending) {
    if (status === 'waiting') waiting.push(fingerprint);
  }
  return waiting;
}

/** How many more files can be asked for. Nobody knows yet whether the service has counted what is under way. */
export function leftToAsk({ access, queue }: State, now: number): number {
  return leftOf(access, now) - queue.pending.size;
}

/** How many of what was asked for is decided. */
export const decidedIn = ({ asked, pending }: Queue): number => asked - pending.size;

/**
 * Whether nothing may be sent: during a pause, while the service may accept the token no longer, and while its status says
 * that it cannot read or is too old to begin with. A file that is sent in vain would cost a decode.
 */
function isHeld({ pause, access, queue, lastStatus }: State, now: number): boolean {
  const isTooOld = lastStatus.sentAt < queue.firstAskedAt - FRESH_MS;
  return pause !== undefined || isDoubted(access, now) || lastStatus.fault === 'ring_unavailable' || isTooOld;
}

/** What is to be sent now; undefined when nothing is. */
export function nextToSend(state: State, now: number): string | undefined {
  if (isHeld(state, now)) return undefined;

  const { queue, access } = state;
  const parallel = access.token === undefined ? 1 : PARALLEL;
  const waiting = waitingIn(queue);
  const sent = queue.pending.size - waiting.length;
  return sent < parallel ? waiting[0] : undefined;
}

/** Whether the status is to be asked now: once about a token in doubt, and when the page cannot go on without it. */
export function isCheckDue(state: State, now: number): boolean {
  const { pause, queue, isChecking, access, lastStatus } = state;
  if (isChecking) return false;
  if (isDoubted(access, now) && lastStatus.sentAt < access.doubtedFrom) return true;
  if (queue.pending.size === 0) return false;
  return pause ? now >= pause.until : isHeld(state, now);
}

/** Has files read in this order, as many as the limit suffices for; the others stay as they are. */
export function ask(state: State, fingerprints: readonly string[], now: number): State {
  const { contents, queue } = state;
  const pending = new Map(queue.pending);
  let left = leftToAsk(state, now);
  for (const fingerprint of fingerprints) {
    if (left <= 0) break;

    const content = contents.get(fingerprint);
    if (!content || !canBeAsked(content) || pending.has(fingerprint)) continue;
    pending.set(fingerprint, { status: 'waiting', isLastTry: false });
    left -= 1;
  }

  const added = pending.size - queue.pending.size;
  const firstAskedAt = queue.asked === 0 ? now : queue.firstAskedAt;
  return { ...state, queue: { ...queue, pending, asked: queue.asked + added, firstAskedAt } };
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

/** Takes back what waits. It is read only when the user asks again. */
const releaseWaiting = (state: State): State => release(state, waitingIn(state.queue));

/** Once nothing is pending, counting begins anew, and nothing waits for the end of a pause. */
function withQueue(state: State, queue: Queue): State {
  const isOver = queue.pending.size === 0;
  return isOver ? { ...state, queue: EMPTY_QUEUE, pause: undefined } : { ...state, queue };
}

/**
 * Stores what is now known of the limit and the token, and releases what the limit no longer suffices for, the last first:
 * it waits until the user chooses.
 */
export function changeAccess(before: State, access: Access, now: number): State {
  const state = { ...before, access };
  const waiting = waitingIn(state.queue);
  // What is under way is in the count of the service already, because that counts a request when it arrives.
  const left = leftOf(access, now) - waiting.length;
  return left >= 0 ? state : release(state, waiting.slice(left));
}

export function markSent(state: State, fingerprint: string): State {
  const sent = state.queue.pending.get(fingerprint);
  if (!sent) return state;

  const pending = new Map(state.queue.pending).set(fingerprint, { ...sent, status: 'reading' });
  return { ...state, queue: { ...state.queue, pending } };
}

/** Takes how a request ended, and what its answer tells about the limit and the token. */
export function settle(before: State, answered: ActionOf<'answered'>, now: number): State {
  const { answer } = answered;
  const state = settleFile(before, answered, now);
  return answer ? changeAccess(state, learned(state.access, answer), now) : state;
}

function settleFile(
  state: State,
  { fingerprint, outcome, answer }: ActionOf<'answered'>,
  now: number,
): State {
  switch (outcome.name) {
    case 'done':
      return decide(state, fingerprint, {
        status: 'done',
        answer: outcome.result,
        problem: null,
        bytes: NO_BYTES,
      });
    case 'failed':
      return fail(state, fingerprint, outcome.problem, now);
    case 'refused':
      return decide(state, fingerprint, { status: 'refused', problem: outcome.problem, bytes: NO_BYTES });
    case 'limited':
      return endAtLimit(state, fingerprint, outcome, now);
    case 'turnedAway': {
      const hasLostToken = state.access.token === undefined && answer?.token !== undefined;
      return hasLostToken ? release(state, [fingerprint]) : waitAgain(state, fingerprint, outcome, now);
    }
    case 'outage':
      return meetOutage(state, fingerprint, outcome, now);
  }
}

/** After the second file in a row for which ring did not finish in time, the others wait: ring may hang. */
function fail(state: State, fingerprint: string, problem: Problem, now: number): State {
  const failed = decide(state, fingerprint, { status: 'failed', problem });
  return state.queue.hasTimedOut && failed.queue.hasTimedOut ? pause(failed, RING_HANGS, now) : failed;
}

/**
 * The limit of a client without a token ends the reading. With a token, the file was sent before the token came, or the
 * token is lost, which the status tells.
 */
function endAtLimit(state: State, fingerprint: string, outcome: OutcomeOf<'limited'>, now: number): State {
  const { problem, retryAfter } = outcome;
  const { access } = state;
  if (access.token !== undefined) return meetOutage(state, fingerprint, { problem, waitMs: 0 }, now);
  const ended = release(state, [fingerprint]);
  return releaseWaiting({ ...ended, access: limited(access, retryAfter, now) });
}

/** The service could not read a file, and the file may be the cause or not. So it gets one more try, behind the others. */
function meetOutage(state: State, fingerprint: string, outage: Trouble, now: number): State {
  const wasLastTry = state.queue.pending.get(fingerprint)?.isLastTry === true;
  if (wasLastTry) {
    const { problem } = outage;
    return pause(decide(state, fingerprint, { status: 'failed', problem }), outage, now);
  }

  const next = waitAgain(state, fingerprint, outage, now);
  return asLastTry(next, [fingerprint]);
}

/**
 * Lets a file that was sent wait to be sent again, after the others: a file that causes outages must not keep them waiting.
 */
function waitAgain(state: State, fingerprint: string, trouble: Trouble, now: number): State {
  const { queue } = state;
  const sent = queue.pending.get(fingerprint);
  if (!sent) return state;

  const pending = new Map(queue.pending);
  // A key that is set again keeps its place, unless it is removed first.
  pending.delete(fingerprint);
  pending.set(fingerprint, { ...sent, status: 'waiting' });
  return pause({ ...state, queue: { ...queue, pending } }, trouble, now);
}

/** Marks files that fail if they meet another outage. */
function asLastTry(state: State, fingerprints: Iterable<string>): State {
  const pending = new Map(state.queue.pending);
  for (const fingerprint of fingerprints) {
    const file = pending.get(fingerprint);
    if (file) pending.set(fingerprint, { ...file, isLastTry: true });
  }
  return { ...state, queue: { ...state.queue, pending } };
}

/** Stops sending until the service has said that it is ready. Of several requests that fail together, the last one counts. */
function pause(state: State, { problem, waitMs }: Trouble, now: number): State {
  return state.queue.pending.size === 0 ? state : { ...state, pause: { problem, until: now + waitMs } };
}

/**
 * Goes on without a token. What waits is taken back, because it would use up the limit that now holds. What is under way
 * was sent with the token, and is not sent again.
 */
export function loseToken(before: State, access: Access): State {
  const state = releaseWaiting({ ...before, access, pause: undefined });
  return asLastTry(state, state.queue.pending.keys());
}

/** Writes down what became of a file, and takes it out of the queue. */
function decide(state: State, fingerprint: string, change: Partial<Content>): State {
  const { contents, queue } = state;
  const content = contents.get(fingerprint);
  if (!content) return state;

  const decided = new Map(contents).set(fingerprint, { ...content, ...change });
  const pending = new Map(queue.pending);
  pending.delete(fingerprint);
  return withQueue({ ...state, contents: decided }, { ...queue, pending, hasTimedOut: isTimeout(change) });
}

const isTimeout = ({ problem }: Partial<Content>): boolean =>
  problem != null && 'code' in problem && problem.code === 'ring_timeout';

/**
 * Takes what the service says of itself, of the limit and of a token. If it is ready, a pause ends whose time has come: no
 * status tells whether ring hangs or the queue is full.
 */
export function learnStatus(before: State, status: ServiceStatus, now: number): State {
  const { sentAt } = status;
  const fault = faultOf(status);
  const access = checked(learned(before.access, status), status, now);
  const state = { ...before, isChecking: false, lastStatus: { sentAt, fault } };
  const hasLostToken = state.access.token !== undefined && access.token === undefined;
  if (hasLostToken) return loseToken(state, access);

  if (fault === undefined) {
    const isOver = state.pause === undefined || now >= state.pause.until;
    return changeAccess({ ...state, pause: isOver ? undefined : state.pause }, access, now);
  }
  if (!isHeld({ ...state, access }, now)) return { ...state, access };

  const problem = state.pause?.problem ?? { key: fault };
  const waitMs = Math.max(CHECK_MS, (state.pause?.until ?? 0) - now);
  return pause({ ...state, access }, { problem, waitMs }, now);
}

function faultOf({ isReady, isFromService }: ServiceStatus): LastStatus['fault'] {
  if (isReady) return undefined;
  return isFromService ? 'ring_unavailable' : 'noAnswer';
}
