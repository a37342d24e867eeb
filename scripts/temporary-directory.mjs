import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a directory that is removed when the process exits. */
export function temporaryDirectory(name) {
  const path = makeOrExit(join(tmpdir(), `${name}-`));
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** Exits on a signal. Without this, a signal would end the process before its `exit` listeners remove what is temporary. */
export function exitOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => process.exit(1));
  }
}

function makeOrExit(prefix) {
  try {
    return mkdtempSync(prefix);
  } catch ({ code }) {
    console.error(
      `${tmpdir()} cannot be written to (${code}). Set TMPDIR to a directory that this user may write to.`,
    );
    process.exit(1);
  }
}
