import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quote } from '../fake-ring.js';
import { isRunning } from '../processes.js';
import { DEMO_RING } from '../project.js';
import { tempDirectory } from '../temp.js';

/** A run of ring that waits for the test. */
interface HeldRun {
  pid: number;
  /** SHA-256 of the license file that it was given. */
  sum: string;
}

/**
 * A ring that reads licenses as the demo's stand-in does, but begins with each only when the test lets it. It calls
 * itself an ordinary ring, so that the page does not tell its visitor of a demo.
 */
export class HeldRing {
  private constructor(
    private readonly directory: string,
    /** Path of the launcher. */
    readonly command: string,
  ) {}

  static async create(): Promise<HeldRing> {
    const directory = await tempDirectory();
    const command = join(directory, 'ring');
    await writeFile(command, launcher(directory));
    await chmod(command, 0o755);
    return new HeldRing(directory, command);
  }

  /** The runs that wait. A killed one leaves its note behind, so a note counts only while its process runs. */
  held(): HeldRun[] {
    const notes = readdirSync(this.directory).filter((name) => name.endsWith('.held'));
    const runs = notes.map((name) => ({
      pid: parseInt(name, 10),
      sum: readFileSync(join(this.directory, name), 'utf8').trim(),
    }));
    return runs.filter(({ pid }) => isRunning(pid));
  }

  isHolding(text: string | Buffer): boolean {
    return this.runFor(text) !== undefined;
  }

  /** Lets ring read this file. */
  async release(text: string | Buffer): Promise<void> {
    const run = this.runFor(text);
    if (!run) throw new Error('ring was not asked for this file.');
    rmSync(join(this.directory, `${run.pid}.held`));
    await writeFile(join(this.directory, `${run.pid}.gate`), '\n');
  }

  private runFor(text: string | Buffer): HeldRun | undefined {
    const sum = createHash('sha256').update(text).digest('hex');
    return this.held().find((run) => run.sum === sum);
  }

  /** Ends the runs that a killed service has left behind. */
  end(): void {
    for (const { pid } of this.held()) process.kill(pid, 'SIGKILL');
  }
}

/** Waits before the first command of a decode: opening a named pipe for reading lasts until someone writes to it. */
const launcher = (directory: string) => `#!/bin/sh
hold() {
  note=${quote(directory)}/$$
  mkfifo "$note.gate"
  sha256sum < "$1/license.lic" | cut -d ' ' -f 1 > "$note.new"
  mv "$note.new" "$note.held"
  read -r _ < "$note.gate"
}

case "$*" in
  --version)
    echo 0.19.5-12; exit ;;
  license*" list --path "*"/licenses --send-statistics false")
    path=\${*#*--path }
    hold "\${path% --send-statistics false}" ;;
esac
exec ${quote(DEMO_RING)} "$@"
`;
