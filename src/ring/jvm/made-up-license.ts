import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Has the form and the size of an encrypted permit, but no content. */
const CONTENT = `${Buffer.alloc(2048, 'made up, to load the classes that read a license').toString('base64')}\n`;

/** Creates a directory with a license that ring cannot decode. It loads nearly all of its classes before it says so. */
export async function createMadeUpLicense(directory: string): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, 'made-up.lic'), CONTENT);
}
