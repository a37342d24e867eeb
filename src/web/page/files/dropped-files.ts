import { compareTexts } from '../model/arrangement.js';
import type { LeftOutFile } from '../model/state.js';
import type { Given } from '../model/store.js';
import { isLicenseText, type ChosenFile } from '../model/recognize-file.js';

/** Files of one drop. A list of some thousands is still quick to search; a whole disk would not be. */
export const MAX_FILES = 2000;
/** Bytes of a file whose name does not end like that of a license, and which may be one all the same. */
const MAX_OTHER_BYTES = 64 * 1024;

const hasLicenseName = (name: string) => name.toLowerCase().endsWith('.lic');

const folderOf = (path: string) => /^\/?(.*)\//s.exec(path)?.[1] ?? '';

/** A file that is no license, by its name. */
function otherFile(name: string): LeftOutFile {
  if (/\.(?:zip|rar|7z)$/i.test(name)) return { name, reason: 'archive' };
  if (/\.pdf$/i.test(name)) return { name, reason: 'pdf' };
  return { name, reason: 'notLicense' };
}

/** Sorts files into licenses and others. */
class Sorting {
  private readonly files: ChosenFile[] = [];
  private readonly leftOut: LeftOutFile[] = [];
  private otherCount = 0;
  private isCut = false;

  /** @param signal ends it early */
  constructor(private readonly signal: AbortSignal) {}

  get isOver(): boolean {
    return this.isCut || this.signal.aborted;
  }

  /**
   * Adds a file where it belongs. In a folder the name decides. A file that was chosen by itself may also be a license
   * that was renamed on its way, which its text tells.
   * @param open opens the file only if it is needed
   */
  async put(name: string, folder: string, open: () => File | Promise<File>): Promise<void> {
    if (this.isOver) return;
    if (!hasLicenseName(name) && folder !== '') {
      this.otherCount += 1;
      return;
    }

    try {
      const file = await open();
      const isLicense = hasLicenseName(name) || (await isRenamedLicense(file));
      if (!isLicense) this.leftOut.push(otherFile(name));
      else if (this.files.length < MAX_FILES) this.files.push({ file, folder });
      else this.isCut = true;
    } catch {
      this.putUnreadable(name);
    }
  }

  /** Names what the browser could not open. */
  putUnreadable(name: string): void {
    this.leftOut.push({ name, reason: 'unreadable' });
  }

  end(): Given {
    this.files.sort((a, b) => compareTexts(a.folder, b.folder) || compareTexts(a.file.name, b.file.name));
    const { files, leftOut, otherCount, isCut } = this;
    return { files, leftOut: { files: leftOut, otherCount, isCut } };
  }
}

async function isRenamedLicense(file: File): Promise<boolean> {
  if (file.size > MAX_OTHER_BYTES) return false;

  const bytes = await file.arrayBuffer();
  return isLicenseText(new Uint8Array(bytes));
}

/** The files of `<input type="file">`, with `webkitdirectory` or without. */
export async function filesOfInput(files: readonly File[], signal: AbortSignal): Promise<Given> {
  const sorting = new Sorting(signal);
  for (const file of files) {
    await sorting.put(file.name, folderOf(file.webkitRelativePath), () => file);
  }
  return sorting.end();
}

/**
 * The files of a drop, with those of dropped folders. Must be called in the event itself: the browser empties the list as
 * soon as the event is over.
 * @param signal stops the search
 */
export async function filesOfDrop(items: Iterable<DataTransferItem>, signal: AbortSignal): Promise<Given> {
  const roots = Array.from(items, (item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const sorting = new Sorting(signal);

  const visit = async (entry: FileSystemEntry): Promise<void> => {
    const { name, fullPath, isDirectory } = entry;
    if (!isDirectory) {
      await sorting.put(name, folderOf(fullPath), () => open(entry as FileSystemFileEntry));
      return;
    }
    await visitDirectory(entry as FileSystemDirectoryEntry).catch(() => sorting.putUnreadable(name));
  };

  const visitDirectory = async (directory: FileSystemDirectoryEntry) => {
    const reader = directory.createReader();
    // Browsers give at most 100 entries at a time, and none after the last.
    while (!sorting.isOver) {
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
        reader.readEntries(resolve, reject);
      });
      if (entries.length === 0) return;
      await Promise.all(entries.map(visit));
    }
  };

  for (const root of roots) {
    // A file dragged out of an archive, for example, has no entry in a file system.
    if (root instanceof File) await sorting.put(root.name, '', () => root);
    else if (root) await visit(root);
  }
  return sorting.end();
}

const open = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });
