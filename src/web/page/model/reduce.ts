import { firstAccess, offered, withoutToken } from './access.js';
import { groupBy } from './group-by.js';
import { ask, changeAccess, EMPTY_QUEUE, learnStatus, markSent, release, settle } from './queue.js';
import {
  pathOf,
  type Action,
  type ActionOf,
  type Content,
  type ListedFile,
  type ListedSheet,
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
  const haveFilesChanged = next.files !== state.files;
  const hasUndoChanged = next.undo !== state.undo;
  return haveFilesChanged || hasUndoChanged ? forgetUnlisted(next) : next;
}

function apply(state: State, action: Action, now: number): State {
  switch (action.type) {
    case 'dropStarted':
      return { ...state, drops: new Map(state.drops).set(action.drop, new Set()) };
    case 'dropFound':
      return takeDrop(state, action);
    case 'filesRead':
      return addFiles(state, action);
    case 'dropEnded':
      return endDrop(state, action.drop);

    case 'rowsRemoved':
      return removeRows(state, action);
    case 'cleared':
      return clear(state, action.removed);
    case 'sheetRemoved':
      return { ...state, sheet: undefined, undo: undefined };
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
      return settle(state, action, now);
    case 'goesOnByItself':
      return { ...state, goesOnByItself: action.isWanted };

    case 'statusLearned':
      return learnStatus(state, action.status, now);
    case 'tokenOffered':
      return { ...state, access: offered(state.access, action.token) };
    case 'tokenForgotten':
      return changeAccess(state, withoutToken(state.access.quota), now);
    case 'tokenMenuToggled':
      return { ...state, access: { ...state.access, isMenuOpen: action.isOpen } };
  }
}

/** Takes the sheet of a drop at once; its files come later. Each drop ends Undo. */
function takeDrop(state: State, { drop, sheet, leftOut }: ActionOf<'dropFound'>): State {
  if (!state.drops.has(drop)) return state;

  const taken = { ...state, leftOut, undo: undefined };
  if (!sheet) return taken;

  const { nextOrder } = state;
  const { day } = sheet;
  const rows = sheet.rows.map((row, index) => ({ ...row, day, order: nextOrder + index }));
  return { ...taken, sheet: { ...sheet, rows }, nextOrder: nextOrder + rows.length };
}

function endDrop(state: State, drop: number): State {
  const drops = new Map(state.drops);
  drops.delete(drop);
  return { ...state, drops };
}

/** Adds files. If exactly one listed file has the same path, the new file replaces it. */
function addFiles(state: State, { drop, files }: ActionOf<'filesRead'>): State {
  const pathsSoFar = state.drops.get(drop);
  // The list was cleared since: nobody waits for these files.
  if (!pathsSoFar) return state;

  const listed = groupBy(state.files, pathOf);
  const paths = new Set(pathsSoFar);
  const contents = new Map(state.contents);
  const replacements = new Map<ListedFile, ListedFile>();
  const added: ListedFile[] = [];
  let unchanged = 0;

  for (const { content, ...file } of files) {
    const path = pathOf(file);
    // Files of one drop never replace each other: two servers may have a folder of the same name.
    const samePath = paths.has(path) ? [] : (listed.get(path) ?? []);
    paths.add(path);

    const { fingerprint } = file;
    const isListed = samePath.some((old) => old.fingerprint === fingerprint);
    if (isListed) {
      unchanged += 1;
      continue;
    }

    if (!contents.has(fingerprint)) contents.set(fingerprint, content);
    const [old, ...others] = samePath;
    const isReplacement = old !== undefined && others.length === 0;
    if (isReplacement) replacements.set(old, { ...file, order: old.order });
    else added.push({ ...file, order: state.nextOrder + added.length });
  }

  const kept = state.files.map((file) => replacements.get(file) ?? file);
  return {
    ...state,
    files: [...kept, ...added],
    contents,
    drops: new Map(state.drops).set(drop, paths),
    undo: undoOfUpdate(state, replacements.size, unchanged),
    nextOrder: state.nextOrder + added.length,
  };
}

/** What brings the list back as it is now. */
const undoTo = ({ files, sheet, nextOrder }: State): Undo => ({
  files,
  sheet,
  nextOrder,
  removed: 0,
  updated: 0,
  unchanged: 0,
  hasStoppedFiles: false,
});

/** Files of one drop come in several steps, which are undone together. */
function undoOfUpdate(state: State, updated: number, unchanged: number): Undo | undefined {
  if (updated + unchanged === 0) return state.undo;

  const undo = state.undo ?? undoTo(state);
  return {
    ...undo,
    updated: undo.updated + updated,
    unchanged: undo.unchanged + unchanged,
  };
}

function removeRows(state: State, action: ActionOf<'rowsRemoved'>): State {
  const { fingerprints, sheetOrders, removed } = action;
  return {
    ...state,
    files: state.files.filter(({ fingerprint }) => !fingerprints.has(fingerprint)),
    sheet: withoutRows(state.sheet, sheetOrders),
    undo: { ...undoTo(state), removed },
  };
}

/** The sheet goes with its last row. */
function withoutRows(sheet: ListedSheet | undefined, orders: ReadonlySet<number>): ListedSheet | undefined {
  if (!sheet) return undefined;
  const rows = sheet.rows.filter(({ order }) => !orders.has(order));
  return rows.length > 0 ? { ...sheet, rows } : undefined;
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
    undo: { ...undoTo(state), removed, hasStoppedFiles: state.drops.size > 0 },
  };
}

/** What has come since stays. */
function applyUndo(state: State): State {
  const { undo } = state;
  if (!undo) return state;

  const before = new Set(undo.files.map(identityOf));
  const cameSince = state.files.filter(({ order }) => order >= undo.nextOrder);
  // A file that was removed while its drop still arrived may have come again, and must not be listed twice.
  const added = cameSince.filter((file) => !before.has(identityOf(file)));
  return {
    ...state,
    files: [...undo.files, ...added],
    sheet: undo.sheet,
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
  const pending = [...queue.pending.keys()];
  const unlisted = pending.filter((fingerprint) => !listed.has(fingerprint));

  const kept = new Map<string, Content>();
  for (const { fingerprint } of [...files, ...(undo?.files ?? [])]) {
    const content = contents.get(fingerprint);
    if (content) kept.set(fingerprint, content);
  }
  return { ...release(state, unlisted), contents: kept };
}
