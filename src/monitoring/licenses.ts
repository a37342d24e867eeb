#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { readFolder } from './read-folder.js';

/*
 * What the license files below directories say in clear text, without ring. The service runs this as a child: a mount
 * that hangs blocks the thread that reads it, and only a process can be given up.
 */
const USAGE =
  'Usage: npm run --silent licenses -- DIRECTORY…   (in the image: licenses DIRECTORY…)\n' +
  'Prints what each .lic file below the directories says in clear text, as lines of JSON: up to 2,000 files for each.';

try {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (!values.help && positionals.length === 0) throw new Error('Name a directory.');
  if (values.help) console.log(USAGE);
  else for (const dir of new Set(positionals)) print(dir);
} catch (error) {
  console.error(`${(error as Error).message}\n${USAGE}`);
  process.exitCode = 2;
}

function print(dir: string): void {
  try {
    for (const license of readFolder(dir)) console.log(JSON.stringify(license));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const sentence = `cannot be read (${code}). Name a directory that this user may read.`;
    console.error(`${dir}: ${code === undefined ? message : sentence}`);
    process.exitCode = 1;
  }
}
