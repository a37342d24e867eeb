/** Where a file lies, as far as the user or a sheet says. */
export interface Place {
  /** The name of the file. */
  readonly name: string;
  /** The folders above the file, from the one that was chosen; empty for a file that was chosen by itself. */
  readonly folder: string;
}

export const pathOf = ({ name, folder }: Place) => (folder === '' ? name : `${folder}/${name}`);
