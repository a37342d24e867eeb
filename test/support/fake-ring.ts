import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tempDirectory } from './temp.js';

const TRANSCRIPTS = resolve(import.meta.dirname, '../transcripts');

/** Path of a recorded output of ring. */
export const transcriptPath = (name: string) => join(TRANSCRIPTS, name);
export const transcript = (name: string) => readFileSync(transcriptPath(name), 'utf8');

/** Single-quotes a text for the shell. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Shell code that prints a transcript and ends with the given status. */
export const print = (name: string, exitCode = 0) => `printf %s ${quote(transcript(name))}; exit ${exitCode}`;

/** What the launcher does for each command, as the body of a shell script. */
export interface FakeRing {
  version?: string;
  list?: string;
  info?: string;
  validate?: string;
  debugValidate?: string;
  /** `license list` on a directory without licenses, or with a made-up one. */
  listNone?: string;
  /** `help modules`. */
  help?: string;
  /** Any command of the license module without a version. */
  unversioned?: string;
  /** Runs before any of the others. */
  always?: string;
}

/** Decodes a license that does not match this machine. */
const DECODING: Required<FakeRing> = {
  version: 'echo 0.19.5-12',
  list: print('list-one-ru.txt'),
  info: print('info-one-ru.txt'),
  validate: print('validate-mismatch-ru.txt', 1),
  debugValidate: print('validate-debug-ru.txt', 1),
  listNone: 'echo',
  help: print('launcher-help-modules-ru.txt'),
  unversioned: '',
  always: '',
};

/**
 * Writes an executable that answers the command line of ring, as {@link DECODING} unless told otherwise.
 * @param path takes the place of the one that is there
 * @returns its path
 */
export async function fakeRing(commands: FakeRing = {}, path?: string): Promise<string> {
  const { version, list, info, validate, debugValidate, listNone, help, unversioned, always } = {
    ...DECODING,
    ...commands,
  };
  const launcher = path ?? join(await tempDirectory(), 'bin/ring');
  await writeProgram(
    launcher,
    `${always}
case "$*" in
  "license "* | *" license "*)
    ${unversioned || ':'} ;;
esac
case "$*" in
  --version)
    ${version} ;;
  "help modules")
    ${help} ;;
  license*" list --path "*"/made-up-license --send-statistics false" | license*" list --path "*"/installation --send-statistics false")
    ${listNone} ;;
  license*" list --path "*" --send-statistics false")
    ${list} ;;
  license*" info --name "*" --path "*" --send-statistics false")
    ${info} ;;
  license*" validate --name "*" --path "*" --send-statistics false")
    ${validate} ;;
  "-l debug license"*" validate --name "*" --path "*" --send-statistics false")
    ${debugValidate} ;;
  *)
    echo "unexpected arguments"; exit 64 ;;
esac`,
  );
  return launcher;
}

/**
 * Writes a `bin/java` that prints the given text the way `java -version` does, to stderr.
 * @returns the directory, for JAVA_HOME
 */
export async function fakeJavaHome(version = transcript('java-version-17.stderr.txt')): Promise<string> {
  const home = await tempDirectory();
  await writeProgram(join(home, 'bin/java'), `printf %s ${quote(version)} >&2`);
  return home;
}

async function writeProgram(path: string, script: string): Promise<void> {
  await mkdir(resolve(path, '..'), { recursive: true });
  // One that runs is neither changed nor half there.
  await writeFile(`${path}.new`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await rename(`${path}.new`, path);
}
