import { firstAccess, learned, offered, withoutToken } from './access.js';
import { groupBy } from './group-by.js';
import { pathOf } from './place.js';
import { ask, changeAccess, EMPTY_QUEUE, learnStatus, markSent, release, settle } from './queue.js';
import type { Sheet } from './sheet.js';
import type { Action, LeftOut, ListedFile, ListedSheet, ReadFile, State, Undo } from './state.js';

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
  readingArrangements: 0,
  nextOrder: 1,
});

/** The state after something has happened. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'dropStarted':
      return { ...state, drops: new Map(state.drops).set(action.drop, new Set()) };
    case 'dropFound':
      return takeDrop(state, action.drop, action.hasFiles, action.sheet, action.leftOut);
    case 'filesRead':
      return tidy(addFiles(state, action.drop, action.files));
    case 'dropEnded':
      return endDrop(state, action.drop);

    case 'rowsRemoved':
      return tidy(removeRows(state, action.contentKeys, action.sheetOrders, action.removed));
    case 'cleared':
      return tidy(clear(state, action.removed));
    case 'sheetRemoved':
      return tidy(replaceSheet(state, undefined));
    case 'undone':
      return tidy(applyUndo(state));
    case 'noticeHidden':
      return tidy({ ...state, undo: undefined });
    case 'leftOutHidden':
      return { ...state, leftOut: undefined };

    case 'asked':
      return ask(state, action.contentKeys, action.now);
    case 'canceled':
      return { ...release(state, action.contentKeys), goesOnByItself: false };
    case 'sent':
      return markSent(state, action.contentKey, action.now);
    case 'answered':
      return settle(state, action.contentKey, action.outcome, action.token, action.now);
    case 'goesOnByItself':
      return { ...state, goesOnByItself: action.isWanted };

    case 'statusLearned':
      return learnStatus(state, action.status, action.token, action.now);
    case 'accessLearned':
      return changeAccess(state, learned(state.access, action.token, action.answer), action.now);
    case 'tokenOffered':
      return { ...state, access: offered(state.access, action.token) };
    case 'tokenForgotten':
      return changeAccess(state, withoutToken(state.access), action.now);
    case 'tokenFormShown':
      return { ...state, access: { ...state.access, isAsked: action.isShown } };
  }
}

/** Takes the sheet of a drop at once; its files come later. A drop with files ends Undo. */
function takeDrop(
  state: State,
  drop: number,
  hasFiles: boolean,
  sheet: Sheet | undefined,
  leftOut: LeftOut,
): State {
  if (!state.drops.has(drop)) return state;
  const undo = hasFiles ? undefined : state.undo;
  const taken = { ...state, undo, leftOut };
  return tidy(sheet ? replaceSheet(taken, sheet) : taken);
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

  for (const { name, folder, file, content } of read) {
    const path = pathOf({ name, folder });
    // Files of one drop never replace each other: two servers may have a folder of the same name.
    const samePath = paths.has(path) ? [] : (listed.get(path) ?? []);
    paths.add(path);

    const contentKey = content.fingerprint ?? `unreadable ${nextOrder}`;
    if (samePath.some((old) => old.contentKey === contentKey)) {
      unchanged += 1;
      continue;
    }

    if (!contents.has(contentKey)) contents.set(contentKey, { ...content, answer: null, outages: 0 });
    const [old] = samePath;
    if (old && samePath.length === 1) {
      const replacement = { name, folder, file, contentKey, order: old.order };
      leaving.push(old);
      replacements.push(replacement);
      coming.push(replacement);
    } else {
      coming.push({ name, folder, file, contentKey, order: nextOrder });
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
  contentKeys: ReadonlySet<string>,
  sheetOrders: ReadonlySet<number>,
  removed: number,
): State {
  const removedFiles = state.files.filter(({ contentKey }) => contentKeys.has(contentKey));
  const { sheet } = state;
  const sheetLeft = sheet && withoutRows(sheet, sheetOrders);
  const sheetBefore = sheetLeft === sheet ? undefined : sheet;
  return {
    ...state,
    files: without(state.files, removedFiles),
    sheet: sheetLeft,
    undo: { ...NO_UNDO, removedFiles, sheetBefore, removed },
  };
}

/** The same sheet when it has none of these rows; undefined when no row is left. */
function withoutRows(sheet: ListedSheet, orders: ReadonlySet<number>): ListedSheet | undefined {
  const rows = sheet.rows.filter(({ order }) => !orders.has(order));
  if (rows.length === sheet.rows.length) return sheet;
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
    undo: { ...NO_UNDO, removedFiles: state.files, sheetBefore: state.sheet, removed },
  };
}

/** Replaces the sheet, or removes it. Undo does not bring the previous one back. */
function replaceSheet(state: State, sheet: Sheet | undefined): State {
  const { undo, nextOrder } = state;
  const rows = sheet?.rows.map((row, index) => ({ ...row, order: nextOrder + index })) ?? [];
  const filesChanged = (undo?.removedFiles.length ?? 0) > 0;
  return {
    ...state,
    sheet: sheet && { ...sheet, rows },
    undo: undo && filesChanged ? { ...undo, sheetBefore: undefined } : undefined,
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

const identityOf = (file: ListedFile) => `${file.contentKey} ${pathOf(file)}`;

/**
 * Forgets the contents of files that are neither in the list nor in Undo, so that memory does not keep them. Takes files
 * that have left the list out of the queue.
 */
function tidy(state: State): State {
  const { files, queue, undo } = state;
  const listed = new Set(files.map(({ contentKey }) => contentKey));
  const pending = [...queue.waiting, ...queue.sent];
  const released = release(
    state,
    pending.filter((key) => !listed.has(key)),
  );

  const keptKeys = new Set(listed);
  for (const { contentKey } of undo?.removedFiles ?? []) keptKeys.add(contentKey);
  if (keptKeys.size === released.contents.size) return released;
  const contents = new Map([...released.contents].filter(([key]) => keptKeys.has(key)));
  return { ...released, contents };
}

function without(files: readonly ListedFile[], leaving: readonly ListedFile[]): readonly ListedFile[] {
  if (leaving.length === 0) return files;
  const gone = new Set(leaving);
  return files.filter((file) => !gone.has(file));
}

const inOrder = (files: ListedFile[]) => files.sort((a, b) => a.order - b.order);
