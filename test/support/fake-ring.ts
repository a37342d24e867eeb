import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tempDirectory } from './temp.js';

const TRANSCRIPTS = resolve(import.meta.dirname, '../transcripts');

/** Path of a recorded output of ring. */
export const transcriptPath = (name: string) => join(TRANSCRIPTS, name);
export const transcript = (name: string) => readFileSync(transcriptPath(name), 'utf8');

/** What a launcher does for each command, as the body of a shell script. */
export interface FakeRing {
  version?: string;
  list?: string;
  info?: string;
  validate?: string;
  debugValidate?: string;
  /** Runs before any of the others. */
  always?: string;
}

export const print = (name: string, exitCode = 0) => `cat '${transcriptPath(name)}'; exit ${exitCode}`;

/** The launcher of a ring that decodes a licence which does not fit this machine. */
export const DECODING: Required<FakeRing> = {
  version: 'echo 0.19.5-12',
  list: print('list-one-ru.txt'),
  info: print('info-one-ru.txt'),
  validate: print('validate-mismatch-ru.txt', 1),
  debugValidate: print('validate-debug-ru.txt', 1),
  always: '',
};

/**
 * Makes a real executable that answers ring's command line, {@link DECODING} where nothing else is said.
 * @returns its path
 */
export async function fakeRing(commands: FakeRing = {}): Promise<string> {
  const { version, list, info, validate, debugValidate, always } = { ...DECODING, ...commands };
  const directory = join(await tempDirectory(), 'bin');
  await mkdir(directory);
  const path = join(directory, 'ring');
  await writeFile(
    path,
    `#!/bin/sh
${always}
case "$*" in
  --version)
    ${version} ;;
  "license list --path "*" --send-statistics false")
    ${list} ;;
  "license info --name "*" --path "*" --send-statistics false")
    ${info} ;;
  "license validate --name "*" --path "*" --send-statistics false")
    ${validate} ;;
  "-l debug license validate --name "*" --path "*" --send-statistics false")
    ${debugValidate} ;;
  *)
    echo "unexpected arguments" ; exit 64 ;;
esac
`,
    { mode: 0o755 },
  );
  return path;
}

/** Single-quotes a text for the shell. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
