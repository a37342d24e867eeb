import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Writes into dist/ which commit was built, for the service to name it beside its version. Without a clone nothing is
 * written, and nothing is named.
 */

const ROOT = dirname(import.meta.dirname);
/** Git's list of what was checked out here, a line for each time. It is read because the image is built without Git. */
const CHECKOUTS = join(ROOT, '.git/logs/HEAD');
const DIST = join(ROOT, 'dist');

/** As many digits as Git and GitHub show. */
const SHORT = 7;

/** @returns undefined outside a clone */
function checkedOut() {
  if (!existsSync(CHECKOUTS)) return undefined;
  const [last = ''] = readFileSync(CHECKOUTS, 'utf8').trimEnd().split('\n').slice(-1);
  // The commit before, the commit since then, who changed it, when and how.
  const [, commit] = last.split(' ');
  return commit?.slice(0, SHORT);
}

export function writeCommit() {
  const file = join(DIST, 'commit.txt');
  const commit = checkedOut();
  if (!commit) {
    rmSync(file, { force: true });
    return;
  }

  mkdirSync(DIST, { recursive: true });
  writeFileSync(file, commit);
}

// Without the development dependencies this runs on the Node.js of the system, which may have no import.meta.main.
const isMain = realpathSync(process.argv[1]) === import.meta.filename;
if (isMain) writeCommit();
