import type { LeftOutFile } from '../model/state.js';
import type { ChosenFile } from '../model/store.js';

export interface ChosenFiles {
  /** The `.lic` files, by folder and name. */
  files: ChosenFile[];
  /** The spreadsheets that were chosen by themselves; those in folders are left out. */
  sheets: File[];
  /** Other files, and what the browser could not read. */
  leftOut: LeftOutFile[];
}

const { compare } = new Intl.Collator('ru', { numeric: true });

const inOrder = (files: ChosenFile[]) =>
  files.sort((a, b) => compare(a.folder, b.folder) || compare(a.file.name, b.file.name));

const isLicense = (name: string) => /\.lic$/i.test(name);
const isSheet = (name: string) => /\.(?:xls[xmb]?|csv|ods)$/i.test(name);

/** A file that is neither a license nor a sheet, by its name. */
function otherFile(name: string): LeftOutFile {
  if (/\.(?:zip|rar|7z)$/i.test(name)) return { name, reason: 'archive' };
  if (/\.pdf$/i.test(name)) return { name, reason: 'pdf' };
  return { name, reason: 'notLicense' };
}

const folderOf = (path: string) => /^\/?(.*)\//s.exec(path)?.[1] ?? '';

/** The files of `<input type="file">`, with `webkitdirectory` or without. */
export function filesOfInput(list: Iterable<File>): ChosenFiles {
  const chosen: ChosenFiles = { files: [], sheets: [], leftOut: [] };
  for (const file of list) {
    const { name, webkitRelativePath } = file;
    if (isLicense(name)) chosen.files.push({ file, folder: folderOf(webkitRelativePath) });
    else if (isSheet(name) && webkitRelativePath === '') chosen.sheets.push(file);
    else chosen.leftOut.push(otherFile(name));
  }
  return { ...chosen, files: inOrder(chosen.files) };
}

/**
 * The files of a drop, with those of dropped folders. Must be called in the event itself: the browser empties
 * the list as soon as the event is over.
 */
export async function filesOfDrop(items: Iterable<DataTransferItem>): Promise<ChosenFiles> {
  const roots = Array.from(items, (item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files: ChosenFile[] = [];
  const sheets: File[] = [];
  const leftOut: LeftOutFile[] = [];

  const visit = async (entry: FileSystemEntry): Promise<void> => {
    const { name, isDirectory } = entry;
    const folder = folderOf(entry.fullPath);
    try {
      if (isDirectory) {
        await visitDirectory(entry as FileSystemDirectoryEntry);
      } else if (isSheet(name) && folder === '') {
        sheets.push(await open(entry as FileSystemFileEntry));
      } else if (isLicense(name)) {
        const file = await open(entry as FileSystemFileEntry);
        files.push({ file, folder });
      } else {
        leftOut.push(otherFile(name));
      }
    } catch {
      leftOut.push({ name, reason: 'unreadable' });
    }
  };

  const visitDirectory = async (directory: FileSystemDirectoryEntry) => {
    const reader = directory.createReader();
    // Browsers give at most 100 entries at a time, and none after the last.
    for (;;) {
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
        reader.readEntries(resolve, reject);
      });
      if (entries.length === 0) return;
      await Promise.all(entries.map(visit));
    }
  };

  for (const root of roots) {
    // A file dragged out of an archive, for example, has no entry in a file system.
    if (root instanceof File) {
      if (isLicense(root.name)) files.push({ file: root, folder: '' });
      else if (isSheet(root.name)) sheets.push(root);
      else leftOut.push(otherFile(root.name));
    } else if (root) await visit(root);
  }
  return { files: inOrder(files), sheets, leftOut };
}

const open = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });
