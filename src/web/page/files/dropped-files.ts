import { compareTexts } from '../model/order.js';
import type { LeftOutFile } from '../model/state.js';
import type { ChosenFile } from '../model/read-file.js';

export interface ChosenFiles {
  /** The `.lic` files, by folder and name. */
  files: ChosenFile[];
  /** Other files, and what the browser could not read. */
  leftOut: LeftOutFile[];
}

const inOrder = (files: ChosenFile[]) =>
  files.sort((a, b) => compareTexts(a.folder, b.folder) || compareTexts(a.file.name, b.file.name));

/** How the names of licenses end. */
export const LICENSE_ENDING = '.lic';

const isLicense = (name: string) => name.toLowerCase().endsWith(LICENSE_ENDING);

/** A file that is no license, by its name. */
function otherFile(name: string): LeftOutFile {
  if (/\.(?:zip|rar|7z)$/i.test(name)) return { name, reason: 'archive' };
  if (/\.pdf$/i.test(name)) return { name, reason: 'pdf' };
  return { name, reason: 'notLicense' };
}

const folderOf = (path: string) => /^\/?(.*)\//s.exec(path)?.[1] ?? '';

/** Adds a file where it belongs. */
function put(chosen: ChosenFiles, file: File, folder: string): void {
  const { name } = file;
  if (isLicense(name)) chosen.files.push({ file, folder });
  else chosen.leftOut.push(otherFile(name));
}

/** The files of `<input type="file">`, with `webkitdirectory` or without. */
export function filesOfInput(list: Iterable<File>): ChosenFiles {
  const chosen: ChosenFiles = { files: [], leftOut: [] };
  for (const file of list) put(chosen, file, folderOf(file.webkitRelativePath));
  return { ...chosen, files: inOrder(chosen.files) };
}

/**
 * The files of a drop, with those of dropped folders. Must be called in the event itself: the browser empties
 * the list as soon as the event is over.
 */
export async function filesOfDrop(items: Iterable<DataTransferItem>): Promise<ChosenFiles> {
  const roots = Array.from(items, (item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const chosen: ChosenFiles = { files: [], leftOut: [] };

  const visit = async (entry: FileSystemEntry): Promise<void> => {
    const { name, isDirectory } = entry;
    const folder = folderOf(entry.fullPath);
    try {
      if (isDirectory) await visitDirectory(entry as FileSystemDirectoryEntry);
      else if (isLicense(name)) put(chosen, await open(entry as FileSystemFileEntry), folder);
      else chosen.leftOut.push(otherFile(name));
    } catch {
      chosen.leftOut.push({ name, reason: 'unreadable' });
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
    if (root instanceof File) put(chosen, root, '');
    else if (root) await visit(root);
  }
  return { ...chosen, files: inOrder(chosen.files) };
}

const open = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });
