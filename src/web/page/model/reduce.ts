import { firstAccess, offered, withoutToken } from './access.js';
import { groupBy } from './group-by.js';
import { ask, changeAccess, EMPTY_QUEUE, learnStatus, markSent, release, settle } from './queue.js';
import {
  pathOf,
  type Action,
  type LeftOut,
  type ListedFile,
  type ReadFile,
  type Sheet,
  type State,
  type Undo,
} from './state.js';

/**
 * @param limit files per window without a token
 * @param windowSeconds the length of the window
 */
export const firstState = (limit: number, windowSeconds: number): State => ({
  files: [],
  contents: new Map(),
  sheet: undefined,
  undo: undefined,
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
  const isSameList = next.files === state.files && next.undo === state.undo;
  return isSameList ? next : forgetUnlisted(next);
}

function apply(state: State, action: Action, now: number): State {
  switch (action.type) {
    case 'dropStarted':
      return { ...state, drops: new Map(state.drops).set(action.drop, new Set()) };
    case 'dropFound':
      return takeDrop(state, action.drop, action.sheet, action.leftOut);
    case 'filesRead':
      return addFiles(state, action.drop, action.files);
    case 'dropEnded':
      return endDrop(state, action.drop);

    case 'rowsRemoved':
      return removeRows(state, action.fingerprints, action.sheetOrders, action.removed);
    case 'cleared':
      return clear(state, action.removed);
    case 'sheetRemoved':
      return replaceSheet(state, undefined);
    case 'undone':
      return applyUndo(state);
    case 'noticeHidden':
      return { ...state, undo: undefined };
    case 'leftOutHidden':
      return { ...state, leftOut: undefined };

    case 'asked':
      return ask(state, action.fingerprints, now);
    case 'canceled':
      return { ...release(state, action.fingerprints), goesOnByItself: false };
    case 'sent':
      return markSent(state, action.fingerprint, now);
    case 'answered':
      return settle(state, action.fingerprint, action.outcome, action.answer, now);
    case 'goesOnByItself':
      return { ...state, goesOnByItself: action.isWanted };

    case 'statusLearned':
      return learnStatus(state, action.status, now);
    case 'tokenOffered':
      return { ...state, access: offered(state.access, action.token) };
    case 'tokenForgotten':
      return changeAccess(state, withoutToken(state.access.quota), now);
    case 'tokenFormShown':
      return { ...state, access: { ...state.access, isAsked: action.isShown } };
  }
}

/** Takes the sheet of a drop at once; its files come later. Each drop ends Undo. */
function takeDrop(state: State, drop: number, sheet: Sheet | undefined, leftOut: LeftOut): State {
  if (!state.drops.has(drop)) return state;
  const taken = { ...state, leftOut, undo: undefined };
  return sheet ? replaceSheet(taken, sheet) : taken;
}

function endDrop(state: State, drop: number): State {
  const drops = new Map(state.drops);
  drops.delete(drop);
  return { ...state, drops };
}

/** Adds files. If exactly one listed file has the same path, the new file replaces it. */
function addFiles(state: State, drop: number, read: readonly ReadFile[]): State {
  const pathsSoFar = state.drops.get(drop);
  // The list was cleared since: nobody waits for these files.
  if (!pathsSoFar) return state;

  const listed = groupBy(state.files, pathOf);
  const paths = new Set(pathsSoFar);
  const contents = new Map(state.contents);
  const coming: ListedFile[] = [];
  const leaving: ListedFile[] = [];
  const replacements: ListedFile[] = [];
  let unchanged = 0;
  let { nextOrder } = state;

  for (const { content, ...file } of read) {
    const path = pathOf(file);
    // Files of one drop never replace each other: two servers may have a folder of the same name.
    const samePath = paths.has(path) ? [] : (listed.get(path) ?? []);
    paths.add(path);

    const { fingerprint } = file;
    if (samePath.some((old) => old.fingerprint === fingerprint)) {
      unchanged += 1;
      continue;
    }

    if (!contents.has(fingerprint)) contents.set(fingerprint, content);
    const [old] = samePath;
    if (old && samePath.length === 1) {
      const replacement = { ...file, order: old.order };
      leaving.push(old);
      replacements.push(replacement);
      coming.push(replacement);
    } else {
      coming.push({ ...file, order: nextOrder });
      nextOrder += 1;
    }
  }

  return {
    ...state,
    files: inOrder([...without(state.files, leaving), ...coming]),
    contents,
    drops: new Map(state.drops).set(drop, paths),
    undo: undoWith(state.undo, leaving, replacements, unchanged),
    nextOrder,
  };
}

const NO_UNDO: Undo = {
  removedFiles: [],
  replacements: [],
  sheetBefore: undefined,
  removed: 0,
  unchanged: 0,
};

function undoWith(
  undo: Undo | undefined,
  leaving: readonly ListedFile[],
  replacements: readonly ListedFile[],
  unchanged: number,
): Undo | undefined {
  if (replacements.length + unchanged === 0) return undo;
  const soFar = undo ?? NO_UNDO;
  return {
    ...soFar,
    removedFiles: [...soFar.removedFiles, ...leaving],
    replacements: [...soFar.replacements, ...replacements],
    unchanged: soFar.unchanged + unchanged,
  };
}

function removeRows(
  state: State,
  fingerprints: ReadonlySet<string>,
  sheetOrders: ReadonlySet<number>,
  removed: number,
): State {
  const { files, sheet } = state;
  const removedFiles = files.filter(({ fingerprint }) => fingerprints.has(fingerprint));
  const rows = sheet?.rows.filter(({ order }) => !sheetOrders.has(order)) ?? [];
  return {
    ...state,
    files: without(files, removedFiles),
    // It goes with its last row.
    sheet: sheet && rows.length > 0 ? { ...sheet, rows } : undefined,
    undo: { ...NO_UNDO, removedFiles, sheetBefore: sheet, removed },
  };
}

/** Removes everything, and stops what still arrives. */
function clear(state: State, removed: number): State {
  return {
    ...state,
    files: [],
    sheet: undefined,
    leftOut: undefined,
    drops: new Map(),
    goesOnByItself: false,
    undo: { ...NO_UNDO, removedFiles: state.files, sheetBefore: state.sheet, removed },
  };
}

/** Replaces the sheet, or removes it. Undo does not bring the previous one back. */
function replaceSheet(state: State, sheet: Sheet | undefined): State {
  const { nextOrder } = state;
  const rows = sheet?.rows.map((row, index) => ({ ...row, order: nextOrder + index })) ?? [];
  return {
    ...state,
    sheet: sheet && { ...sheet, rows },
    undo: undefined,
    nextOrder: nextOrder + rows.length,
  };
}

function applyUndo(state: State): State {
  const { undo } = state;
  if (!undo) return state;

  const kept = without(state.files, undo.replacements);
  // A file that was removed while its drop still arrived may have come again, and must not be listed twice.
  const keptIdentities = new Set(kept.map(identityOf));
  const back = undo.removedFiles.filter((file) => !keptIdentities.has(identityOf(file)));
  return {
    ...state,
    files: inOrder([...kept, ...back]),
    sheet: undo.sheetBefore ?? state.sheet,
    undo: undefined,
  };
}

const identityOf = (file: ListedFile) => `${file.fingerprint} ${pathOf(file)}`;

/**
 * Forgets the contents of files that are neither in the list nor in Undo, so that memory does not keep them. Takes files
 * that have left the list out of the queue.
 */
function forgetUnlisted(state: State): State {
  const { files, contents, queue, undo } = state;
  const listed = new Set(files.map(({ fingerprint }) => fingerprint));
  const pending = [...queue.waiting.keys(), ...queue.sent.keys()];
  const unlisted = pending.filter((fingerprint) => !listed.has(fingerprint));

  const kept = new Set(listed);
  for (const { fingerprint } of undo?.removedFiles ?? []) kept.add(fingerprint);
  return {
    ...release(state, unlisted),
    contents: new Map([...contents].filter(([fingerprint]) => kept.has(fingerprint))),
  };
}

function without(files: readonly ListedFile[], leaving: readonly ListedFile[]): readonly ListedFile[] {
  if (leaving.length === 0) return files;
  const gone = new Set(leaving);
  return files.filter((file) => !gone.has(file));
}

const inOrder = (files: ListedFile[]) => files.sort((a, b) => a.order - b.order);
