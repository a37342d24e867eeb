import { firstAccess, offered, withoutToken } from './access.js';
import { groupBy } from './group-by.js';
import { ask, changeAccess, EMPTY_QUEUE, learnStatus, markSent, release, settle } from './queue.js';
import {
  pathOf,
  type Action,
  type ActionOf,
  type LeftOut,
  type LeftOutFile,
  type ListedFile,
  type State,
} from './state.js';

/** Answers that are kept of files that are not in the list any more: as many as one drop may have. */
const MAX_KEPT_ANSWERS = 2000;

/**
 * @param limit files per window without a token
 * @param windowSeconds the length of the window
 */
export const firstState = (limit: number, windowSeconds: number): State => ({
  files: [],
  contents: new Map(),
  leftOut: undefined,
  drops: new Map(),
  queue: EMPTY_QUEUE,
  pause: undefined,
  access: firstAccess(limit, windowSeconds),
  goesOnByItself: false,
  nextOrder: 1,
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
      return { ...state, drops: new Map(state.drops).set(action.drop, new Set()) };
    case 'dropFound':
      return state.drops.has(action.drop) ? { ...state, leftOut: action.leftOut } : state;
    case 'filesRecognized':
      return addFiles(state, action);
    case 'dropEnded':
      return endDrop(state, action.drop);

    case 'rowsRemoved':
      return {
        ...state,
        files: state.files.filter(({ fingerprint }) => !action.fingerprints.has(fingerprint)),
      };
    case 'cleared':
      return clear(state);
    case 'leftOutHidden':
      return { ...state, leftOut: undefined };

    case 'asked':
      return ask(state, action.fingerprints, now);
    case 'canceled':
      return { ...release(state, action.fingerprints), goesOnByItself: false };
    case 'sent':
      return markSent(state, action.fingerprint, now);
    case 'answered':
      return settle(state, action, now);
    case 'goesOnByItself':
      return { ...state, goesOnByItself: action.isWanted };

    case 'statusLearned':
      return learnStatus(state, action.status, now);
    case 'tokenOffered':
      return { ...state, access: offered(state.access, action.token) };
    case 'tokenForgotten':
      return changeAccess(state, withoutToken(state.access.quota), now);
  }
}

function endDrop(state: State, drop: number): State {
  const drops = new Map(state.drops);
  drops.delete(drop);
  return { ...state, drops };
}

/** Adds files. If exactly one listed file has the same path, the new file replaces it. */
function addFiles(state: State, { drop, files }: ActionOf<'filesRecognized'>): State {
  const pathsSoFar = state.drops.get(drop);
  // The list was cleared since: nobody waits for these files.
  if (!pathsSoFar) return state;

  const filesAt = groupBy(state.files, pathOf);
  const paths = new Set(pathsSoFar);
  const contents = new Map(state.contents);
  const replacements = new Map<ListedFile, ListedFile>();
  const added: ListedFile[] = [];
  const leftOut: LeftOutFile[] = [];

  for (const file of files) {
    if ('reason' in file) {
      leftOut.push(file);
      continue;
    }

    const path = pathOf(file);
    const { name, folder, fingerprint, clearText, bytes } = file;
    // Two servers may have folders of the same name. So the second file of a drop at a path is added beside the first.
    const isSecondAtPath = paths.has(path);
    const samePath = isSecondAtPath ? [] : (filesAt.get(path) ?? []);
    paths.add(path);

    const isListed = samePath.some((old) => old.fingerprint === fingerprint);
    if (isListed) {
      leftOut.push({ name, reason: 'unchanged' });
      continue;
    }

    if (!contents.has(fingerprint)) {
      contents.set(fingerprint, { clearText, bytes, status: 'unread', answer: null, failure: null });
    }
    const [old, ...others] = samePath;
    const isReplacement = old !== undefined && others.length === 0;
    const listed = { name, folder, fingerprint };
    if (isReplacement) replacements.set(old, { ...listed, order: old.order });
    else added.push({ ...listed, order: state.nextOrder + added.length });
  }

  const kept = state.files.map((file) => replacements.get(file) ?? file);
  return {
    ...state,
    files: [...kept, ...added],
    contents,
    drops: new Map(state.drops).set(drop, paths),
    leftOut: withFiles(state.leftOut, leftOut),
    nextOrder: state.nextOrder + added.length,
  };
}

function withFiles(leftOut: LeftOut | undefined, files: readonly LeftOutFile[]): LeftOut | undefined {
  if (files.length === 0) return leftOut;
  const before = leftOut ?? { files: [], isCut: false };
  return { ...before, isAll: false, files: [...before.files, ...files] };
}

/** Removes everything, forgets what is known of it, and stops what still arrives. */
function clear(state: State): State {
  return {
    ...state,
    files: [],
    contents: new Map(),
    leftOut: undefined,
    drops: new Map(),
    goesOnByItself: false,
  };
}

/** Takes files that have left the list out of the queue. Of their contents only answers of the service are kept. */
function forgetUnlisted(state: State): State {
  const { files, contents, queue } = state;
  const listed = new Set(files.map(({ fingerprint }) => fingerprint));
  const pending = [...queue.pending.keys()];
  const unlisted = pending.filter((fingerprint) => !listed.has(fingerprint));

  const kept = new Map(contents);
  const answered: string[] = [];
  for (const [fingerprint, { status }] of contents) {
    if (listed.has(fingerprint)) continue;
    if (status === 'done') answered.push(fingerprint);
    else kept.delete(fingerprint);
  }

  const surplus = answered.slice(0, -MAX_KEPT_ANSWERS);
  for (const fingerprint of surplus) kept.delete(fingerprint);
  return { ...release(state, unlisted), contents: kept };
}
