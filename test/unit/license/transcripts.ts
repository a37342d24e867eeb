import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text that ring printed, or a part of a license file, by its file name. */
export const transcript = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../transcripts', name), 'utf8');
