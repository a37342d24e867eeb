#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { readFolder } from './read-folder.js';

/*
 * Prints the clear text of the license files below directories, without ring. The service runs this program as a child,
 * because a mount that hangs blocks the thread that reads it for good, and only a process can be given up.
 */
const USAGE =
  'Usage: npm run --silent licenses -- DIRECTORY…   (in the image: licenses DIRECTORY…)\n' +
  'Prints what each .lic file below the directories says in clear text, as lines of JSON: up to 2,000 files for each.';

try {
  main();
} catch (error) {
  console.error(`${(error as Error).message}\n${USAGE}`);
  process.exitCode = 2;
}

/** @throws when the arguments are wrong */
function main(): void {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    console.log(USAGE);
    return;
  }

  const directories = new Set(positionals);
  if (directories.size === 0) throw new Error('Name a directory.');
  for (const dir of directories) print(dir);
}

function print(dir: string): void {
  try {
    for (const license of readFolder(dir)) console.log(JSON.stringify(license));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfSystem = code !== undefined;
    const reason = isOfSystem
      ? `cannot be read (${code}). Name a directory that this user may read.`
      : message;
    console.error(`${dir}: ${reason}`);
    process.exitCode = 1;
  }
}
