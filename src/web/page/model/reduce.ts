import { offered, withoutToken } from './access.js';
import { ask, EMPTY_QUEUE, learnStatus, loseToken, markSent, release, settle } from './queue.js';
import {
  pathOf,
  type Action,
  type ActionOf,
  type Content,
  type LeftOut,
  type LeftOutFile,
  type ListedFile,
  type State,
} from './state.js';

/**
 * @param limit files per window without a token
 * @param windowSeconds the length of the window
 */
export const firstState = (limit: number, windowSeconds: number): State => ({
  files: [],
  contents: new Map(),
  leftOut: undefined,
  arriving: 0,
  queue: EMPTY_QUEUE,
  pause: undefined,
  isChecking: false,
  lastStatus: { sentAt: 0, fault: undefined },
  access: withoutToken({ limit, windowSeconds, remaining: limit, resetAt: 0 }),
  nextId: 1,
});

/**
 * The state after something has happened.
 * @param now in milliseconds since the epoch
 */
export function reduce(state: State, action: Action, now: number): State {
  const next = apply(state, action, now);
  return next.files === state.files ? next : forgetUnlisted(next);
}

function apply(state: State, action: Action, now: number): State {
  switch (action.type) {
    case 'dropStarted':
      return { ...state, arriving: state.arriving + 1 };
    case 'dropFound':
      return { ...state, leftOut: action.leftOut };
    case 'filesRecognized':
      return addFiles(state, action);
    case 'dropEnded':
      return { ...state, arriving: state.arriving - 1 };

    case 'rowsRemoved':
      return {
        ...state,
        files: state.files.filter(({ fingerprint }) => !action.fingerprints.has(fingerprint)),
      };
    case 'cleared':
      return { ...state, files: [], leftOut: undefined };
    case 'leftOutHidden':
      return { ...state, leftOut: undefined };

    case 'asked':
      return ask(state, action.fingerprints, now);
    case 'canceled':
      return release(state, action.fingerprints);
    case 'sent':
      return markSent(state, action.fingerprint);
    case 'answered':
      return settle(state, action, now);
    case 'checkWanted':
      return state.pause ? { ...state, pause: { ...state.pause, until: now } } : state;
    case 'checkStarted':
      return { ...state, isChecking: true };

    case 'statusLearned':
      return learnStatus(state, action.status, now);
    case 'tokenOffered':
      return { ...state, access: offered(state.access, action.token) };
    case 'tokenForgotten':
      return loseToken(state, withoutToken(state.access.quota));
  }
}

/** Adds files. One with the path and the bytes of a listed file is left out. */
function addFiles(state: State, { files }: ActionOf<'filesRecognized'>): State {
  const listed = new Set(state.files.map(keyOf));
  const contents = new Map(state.contents);
  const added: ListedFile[] = [];
  const leftOut: LeftOutFile[] = [];

  for (const file of files) {
    if ('reason' in file) {
      leftOut.push(file);
      continue;
    }

    const { name, folder, fingerprint, clearText, isUnlikely, bytes } = file;
    if (listed.has(keyOf(file))) {
      leftOut.push({ name, reason: 'unchanged' });
      continue;
    }

    if (!contents.has(fingerprint)) {
      contents.set(fingerprint, {
        clearText,
        isUnlikely,
        bytes,
        status: 'unread',
        answer: null,
        problem: null,
      });
    }
    added.push({ name, folder, fingerprint, id: state.nextId + added.length });
  }

  return {
    ...state,
    files: [...state.files, ...added],
    contents,
    leftOut: withFiles(state.leftOut, leftOut),
    nextId: state.nextId + added.length,
  };
}

/** What two listed files cannot have in common. */
const keyOf = (file: Pick<ListedFile, 'name' | 'folder' | 'fingerprint'>) =>
  `${pathOf(file)}\n${file.fingerprint}`;

function withFiles(leftOut: LeftOut | undefined, files: readonly LeftOutFile[]): LeftOut | undefined {
  if (files.length === 0) return leftOut;

  const before = leftOut ?? NOTHING_LEFT_OUT;
  return { ...before, files: [...before.files, ...files] };
}

const NOTHING_LEFT_OUT: LeftOut = { files: [], otherCount: 0, isCut: false };

/** Forgets files that have left the list, and takes them out of the queue. */
function forgetUnlisted(state: State): State {
  const contents = new Map<string, Content>();
  for (const { fingerprint } of state.files) {
    const content = state.contents.get(fingerprint);
    if (content) contents.set(fingerprint, content);
  }

  const unlisted: string[] = [];
  for (const fingerprint of state.queue.pending.keys()) {
    if (!contents.has(fingerprint)) unlisted.push(fingerprint);
  }
  const released = release(state, unlisted);
  return { ...released, contents };
}
